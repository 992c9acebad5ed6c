import type { TObject } from "@sinclair/typebox";
import type { SignedIn } from "#core/request/access.ts";
import { present } from "#core/present.ts";
import { parseLimit, type Page, type PageRequest } from "#core/request/page.ts";
import type { Admitted } from "#http/client/admission.ts";
import { readItems } from "#http/body/bulk-body.ts";
import { AppError, type Result } from "#core/errors/errors.ts";
import type { Soon } from "#core/time/soon.ts";
import { invalidJson, isObject, parseJson, type JsonObject } from "#http/body/json-body.ts";
import { readMultipart } from "#http/body/multipart.ts";
import type { RequestBody } from "#http/body/request-body.ts";
import type { Cursors } from "#http/cursor.ts";
import { FOREIGN_PAGING, isPaged, refuseForeign, refuseForeignInside } from "#http/foreign-names.ts";
import { hasQuery, pathOf, queryOf } from "./request-path.ts";
import type { Call, Reply, Route } from "./route.ts";
import { bodyInShape } from "#http/shape.ts";

type Query = Readonly<Record<string, string | undefined>>;

const NONE = {};

/** What was read of a request's body. */
export type ReadBody = {
  readonly sent: JsonObject;
  /** The JSON of each item of a bulk body; null if it has no list of them. */
  readonly itemTexts: readonly string[] | null;
  /** Why it is refused, although nobody has asked for it yet; null if it is not. */
  readonly refused: AppError | null;
  /** Where an upload is read from. */
  readonly from: RequestBody;
};

/** Who was let in, and a second look whether they still may: it throws as the first one did (`admission.ts`). */
export type LetIn = Admitted & { again(): Soon<Admitted> };

/** What all calls of a server share. */
type CallParts = {
  readonly cursors: Cursors;
  clientOf(request: Request): string;
};

/**
 * What a handler sees of one request: see `Call`. Most handlers use little of it, so each part is read only
 * when it is used.
 */
export class ApiCall implements Call {
  readonly #route;
  readonly #parts;
  #query: Query | null = null;
  #read: ReadBody;

  constructor(
    route: Route,
    readonly request: Request,
    readonly params: Readonly<Record<string, string>>,
    read: ReadBody,
    readonly admitted: LetIn,
    parts: CallParts,
  ) {
    this.#route = route;
    this.#parts = parts;
    this.#read = read;
  }

  get workspaceId(): string {
    return present(this.admitted.access, "workspace of a route that needs one").workspaceId;
  }

  get person(): SignedIn {
    return present(this.admitted.person, "person of a route that needs one");
  }

  get sentBody(): JsonObject {
    return this.#accepted.sent;
  }

  /** For the audit log, which looks before the handler does: an empty object if the body is refused. */
  get recordedBody(): JsonObject {
    return this.#read.sent;
  }

  get query(): Query {
    return (this.#query ??= this.#knownQuery());
  }

  get clientAddress(): string {
    return this.#parts.clientOf(this.request);
  }

  body(): unknown {
    const { foreign } = this.#route;
    const body = present(this.#route.body, "the schema of the body that this handler reads");
    refuseInQuery(this.#route, body, this.request);
    refuseForeign(body.properties, foreign?.body ?? NONE, this.sentBody);
    refuseForeignInside(foreign?.inside ?? NONE, this.sentBody);
    return bodyInShape(body, this.sentBody);
  }

  items(): AsyncGenerator<Result<unknown>> {
    const items = present(this.#route.items, "the items of the body that this handler reads");
    const { field } = items;
    const unreadable = (): AppError =>
      this.#route.jsonBody === "strict"
        ? invalidJson()
        : new AppError("VALIDATION_ERROR", `The body is not valid JSON: \`${field}\` cannot be read.`);
    return readItems(items, this.#accepted.itemTexts, unreadable, this.#route.digitsOf);
  }

  async upload(take: (piece: Uint8Array) => Promise<void>): Promise<{ readonly fileName: string }> {
    const type = this.request.headers.get("content-type");
    const { fileName, fields } = await readMultipart(this.#read.from, type, take);
    // A file may take hours: who was shut out meanwhile leaves nothing behind.
    await this.admitted.again();
    if (this.#route.body === undefined) return { fileName };
    refuseAsPart(this.#route.body, fields);
    const options = parseJson(fields.get("options")?.trim() || "{}");
    if (!isObject(options))
      throw new AppError("VALIDATION_ERROR", "The part `options` must be a JSON object.");
    this.#read = { ...this.#read, sent: options };
    return { fileName };
  }

  pageRequest(): PageRequest {
    const { limit, before } = this.placesPageRequest(1);
    return { limit, before: before?.[0] ?? null };
  }

  placesPageRequest(count: number): PageRequest<readonly number[]> {
    return { limit: this.#limit, before: this.#parts.cursors.open(this.#scope, this.query["after"], count) };
  }

  page<T>(page: Page<T, number | readonly number[]>, wire: (item: T) => unknown): Reply {
    const { items, nextPosition, total } = page;
    const position = typeof nextPosition === "number" ? [nextPosition] : nextPosition;
    const nextCursor = this.#sealed(position);
    const pagination = { total, limit: this.#limit, hasMore: nextCursor !== null, nextCursor };
    return { status: 200, body: { data: items.map(wire), pagination } };
  }

  cursorOf(position: number | null): string | null {
    return this.#sealed(position === null ? null : [position]);
  }

  /** @throws AppError VALIDATION_ERROR if the body was refused when it was read */
  get #accepted(): ReadBody {
    if (this.#read.refused !== null) throw this.#read.refused;
    return this.#read;
  }

  #sealed(position: readonly number[] | null): string | null {
    return position === null ? null : this.#parts.cursors.seal(this.#scope, position);
  }

  #knownQuery(): Query {
    if (!hasQuery(this.request)) return NONE;
    const parameters = queryOf(this.request);
    const sent = firstOfEach(parameters);
    const { query, foreign } = this.#route;
    if (query === undefined) return sent;
    refuseRepeated(query.properties, parameters);
    refuseForeign(query.properties, foreign?.query ?? NONE, sent);
    if (isPaged(query)) refuseForeign(query.properties, FOREIGN_PAGING, sent);
    return sent;
  }

  get #limit(): number {
    return parseLimit(this.query["limit"]);
  }

  /** A cursor can only be used for the list that it came from. */
  get #scope(): string {
    return `${this.workspaceId} ${this.#route.method} ${pathOf(this.request)}`;
  }
}

/**
 * Of two lists or two statuses only the first would be looked at, and the answer would lack people without a word. What
 * says twice the same is taken, and so is `limit`, which never refuses anything (docs/decisions.md "Pagination").
 * @throws AppError VALIDATION_ERROR
 */
function refuseRepeated(own: object, parameters: URLSearchParams): void {
  for (const name of Object.keys(own)) {
    const [first, ...others] = name === "limit" ? [] : parameters.getAll(name);
    if (others.some((other) => other !== first))
      throw new AppError("VALIDATION_ERROR", `\`${name}\` is there twice. Send it once.`);
  }
}

/**
 * A field of the body that stands in the address. Nobody would read it: the answer of `PATCH …?status=UNSUBSCRIBED` would
 * be 200, and the person would stay SUBSCRIBED.
 * @throws AppError VALIDATION_ERROR
 */
function refuseInQuery({ query, upload }: Route, body: TObject, request: Request): void {
  if (!hasQuery(request)) return;
  const names = [...queryOf(request).keys()].map((sent) => sent.replace(/\[.*$/s, ""));
  const known = query?.properties ?? NONE;
  const field = names.find((name) => Object.hasOwn(body.properties, name) && !Object.hasOwn(known, name));
  if (field === undefined) return;
  const place = upload === undefined ? "in the body" : "in the part `options`";
  throw new AppError(
    "VALIDATION_ERROR",
    `\`${field}\` stands in the query of the address. Send it ${place}, as JSON.`,
  );
}

/** The same for one that is a part of its own, beside the file. @throws AppError VALIDATION_ERROR */
function refuseAsPart({ properties }: TObject, parts: ReadonlyMap<string, string>): void {
  const field = [...parts.keys()].find((name) => Object.hasOwn(properties, name.replace(/\[.*$/s, "")));
  if (field === undefined) return;
  throw new AppError(
    "VALIDATION_ERROR",
    `There is no part \`${field}\`: put it into the part \`options\`, a JSON object.`,
  );
}

function firstOfEach(parameters: URLSearchParams): Query {
  const query: Record<string, string | undefined> = {};
  for (const [name, value] of parameters) query[name] ??= value;
  return query;
}
