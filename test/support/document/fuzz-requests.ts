/** Requests for one documented route: as the document shows it, nearly so, and very different. */
import { schemaOf, type Document, type JsonSchema, type Operation } from "#http/openapi/openapi.ts";
import type { Dice } from "../common/dice.ts";
import { bodyText, JUNK_BODIES, oddValue, schemaValue } from "./fuzz-values.ts";

export type FuzzRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

export type Target = {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** The body's schema, `resolved`. */
  readonly bodySchema: JsonSchema | null;
};

export type Sources = {
  readonly of: Dice;
  readonly naughty: readonly string[];
  /** An existing id of this kind: `list_…` gives a list's. Other texts are returned unchanged. */
  idLike(example: string): string;
};

/** A schema with its components in place of the references to them. */
export function resolved<T>(document: Document, schema: T): T {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((entry: unknown) => resolved(document, entry)) as T;
  const members = Object.entries(schemaOf(document, schema as JsonSchema));
  return Object.fromEntries(members.map(([name, member]) => [name, resolved(document, member)])) as T;
}

/** The request that the document shows, with existing ids; `change` replaces members of its body. */
export function shownRequest(target: Target, sources: Sources, change: object = {}): FuzzRequest {
  const content = Object.values(target.operation.requestBody?.content ?? {})[0];
  const path = withIds(target, sources);
  if (content === undefined) return { method: target.method, path };
  const body = { ...(content.example as object), ...change };
  return { method: target.method, path, ...sentAs(target, withRealIds(body, sources)) };
}

export function* fuzzRequests(target: Target, sources: Sources, rounds: number): Generator<FuzzRequest> {
  yield* oddPaths(target, sources);
  yield* oddQueries(target, sources, rounds);
  if (target.bodySchema !== null) yield* oddBodies(target, target.bodySchema, sources, rounds);
  yield* oddHeaders(target, sources);
}

function* oddPaths(target: Target, { of, naughty }: Sources): Generator<FuzzRequest> {
  if (!target.path.includes("{")) return;
  const segments = [
    "nothing",
    "%00",
    "%zz",
    "..%2f..",
    "%F0%9F",
    "a".repeat(4_000),
    ...Array.from({ length: 6 }, () => encodeURIComponent(of.pick(naughty).toWellFormed() || "x")),
  ];
  for (const segment of segments)
    yield {
      method: target.method,
      path: target.path.replaceAll(/\{[^}]+\}/g, segment),
      body: undefinedOr(target),
    };
}

function* oddQueries(target: Target, sources: Sources, rounds: number): Generator<FuzzRequest> {
  const { of, naughty } = sources;
  const names = (target.operation.parameters ?? [])
    .filter(({ in: place }) => place === "query")
    .map(({ name }) => name);
  if (names.length === 0) return;
  for (let round = 0; round < rounds; round++) {
    const query = new URLSearchParams();
    for (let i = of.roll(4); i >= 0; i--)
      query.append(of.pick([...names, "unknown", "__proto__"]), oddText(of, naughty));
    yield { method: target.method, path: `${withIds(target, sources)}?${query.toString()}` };
  }
  yield { method: target.method, path: `${withIds(target, sources)}?&&=&${names[0]}&%zz=%zz&limit[]=1` };
}

const oddText = (of: Dice, naughty: readonly string[]): string =>
  of
    .pick([
      of.pick([
        "0",
        "-1",
        "1",
        "101",
        "1e3",
        "NaN",
        "",
        " ",
        "99999999999999999999",
        "SENT",
        "AAAA",
        "x".repeat(3_000),
      ]),
      of.pick(naughty),
    ])
    .toWellFormed();

function* oddBodies(
  target: Target,
  schema: JsonSchema,
  sources: Sources,
  rounds: number,
): Generator<FuzzRequest> {
  const { of, naughty } = sources;
  const send = (body: unknown): FuzzRequest => ({
    method: target.method,
    path: withIds(target, sources),
    ...sentAs(target, withRealIds(body, sources)),
  });
  const [content] = Object.values(target.operation.requestBody!.content);
  const shown = content!.example as Record<string, unknown>;
  const names = Object.keys(schema["properties"] ?? {});
  for (const junk of JUNK_BODIES) yield { ...send({}), body: junk };
  for (const name of names) {
    const { [name]: _, ...without } = shown;
    yield send(without);
    for (const value of [null, true, 7, "", [], {}]) yield send({ ...shown, [name]: value });
    for (let i = 0; i < 6; i++) yield send({ ...shown, [name]: oddValue(of, naughty) });
  }
  for (let round = 0; round < rounds; round++) {
    yield send(mutated(shown, sources));
    yield send(schemaValue(schema, of, naughty));
    yield send(
      Object.fromEntries(names.filter(() => of.roll(3) > 0).map((name) => [name, oddValue(of, naughty)])),
    );
  }
  yield send({ ...shown, ...Object.fromEntries(naughty.slice(0, 50).map((text, index) => [text, index])) });
}

/** The same value with one part replaced, at any depth. */
function mutated(value: unknown, sources: Sources): unknown {
  const { of, naughty } = sources;
  if (typeof value !== "object" || value === null || of.roll(6) === 0) return oddValue(of, naughty);
  const places = Object.keys(value);
  if (places.length === 0) return oddValue(of, naughty);
  const place = of.pick(places);
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[place] = mutated(copy[place], sources);
  return copy;
}

function* oddHeaders(target: Target, sources: Sources): Generator<FuzzRequest> {
  const shown = shownRequest(target, sources);
  for (const authorization of [
    "",
    "Bearer",
    "Bearer ",
    "Basic AAAA",
    "Bearer pr_x",
    `Bearer ${"x".repeat(8_000)}`,
  ])
    yield { ...shown, headers: { authorization } };
  for (const type of [
    "",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/html; charset=utf-7",
  ])
    yield { ...shown, headers: { "content-type": type } };
  for (const { name, in: place } of target.operation.parameters ?? [])
    if (place === "header")
      for (const value of ["", " ", "x".repeat(255), "x".repeat(256), "é", "a b", "\t"])
        yield { ...shown, headers: { [name]: value } };
}

/** A whole GIF of one pixel, without a byte that UTF-8 would write as two. */
const IMAGE = "GIF89a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;";

/** A body as the route takes it: JSON, or the same members as parts of a form. */
function sentAs({ operation }: Target, body: unknown): Pick<FuzzRequest, "body" | "headers"> {
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  if (type !== "multipart/form-data") return { body: bodyText(body) };
  const parts = Object.entries(typeof body === "object" && body !== null ? body : {}).map(([name, value]) => {
    const file = name === "file" ? '; filename="people.csv"' : "";
    // For a file that is not text, the document gives only its name.
    const shown = name === "file" && value === "@logo.png" ? IMAGE : value;
    const text = typeof shown === "string" ? shown : bodyText(shown);
    return `--x\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: `${parts.join("")}--x--\r\n`,
  };
}

/** A body, if the route takes one, so that only the path is odd. */
function undefinedOr({ bodySchema }: Target): string {
  return bodySchema === null ? "" : "{}";
}

function withIds({ path, operation }: Target, { idLike }: Sources): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, wanted: string) => {
    const parameter = operation.parameters!.find(({ name }) => name === wanted)!;
    return encodeURIComponent(idLike(String(parameter.example)));
  });
}

/** The same value with existing ids in place of example ids, and none of them twice. */
function withRealIds(value: unknown, sources: Sources): unknown {
  if (typeof value === "string") return sources.idLike(value);
  if (Array.isArray(value)) return [...new Set(value.map((item) => withRealIds(item, sources)))];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withRealIds(member, sources)]),
  );
}
