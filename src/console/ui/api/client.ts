import createClient from "openapi-fetch";
import { facts } from "../frame/page-facts.ts";
import type { paths } from "./api.gen.ts";

/** A refusal of the server, in the language of the person. The sentence says what to do. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** The field that the sentence begins with, and the rest of it; null if it is not about a field. */
  readonly field: { readonly name: string; readonly says: string } | null;
  constructor(status: number, code: string, message: string, field: ApiError["field"] = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** Whether what was asked for is not there: it was deleted, or never was. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Nothing of the server arrived, or not the whole of it. Its message says so in the language of the person. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Whether the same may succeed later: a server that is away may come back, but a refusal stays one. */
export const isPassing = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

/** Paths on which a 401 does not mean that a session is over: the person is signing in. */
const SIGNS_IN = /\/session(?:\/passkey)?$/;

let workspaceId = "";
let onSignedOut = (): void => {};
let words: ErrorWords = {
  refusal: (sentence) => sentence,
  unreachable: "",
  elsewhere: (status) => `HTTP ${status}`,
};

type ErrorWords = {
  /** A sentence with which the server refused something, in the language of the person. */
  readonly refusal: (sentence: string) => string;
  readonly unreachable: string;
  /** Something between the page and the server refused, with this status and without a sentence of ours. */
  readonly elsewhere: (status: number) => string;
};

/** From now on all requests concern this workspace, except those that name another. */
export function requestsAreAbout(id: string): void {
  workspaceId = id;
}

const WORKSPACE = "X-Workspace";

/** Headers of a request that concerns this workspace, whichever the page shows by then. */
export const headersOf = (workspace: string) => ({ [WORKSPACE]: workspace });

/** Sets how errors are worded from now on. */
export function errorsAreSaid(how: ErrorWords): void {
  words = how;
}

/** Called when the server no longer knows the person. */
export function whenSignedOut(leave: () => void): void {
  onSignedOut = leave;
}

/** The API, typed from its own document: a route or a member that does not exist does not compile. */
export const api = createClient<paths>({ baseUrl: facts.root, credentials: "same-origin" });

api.use({
  onRequest({ request }) {
    if (workspaceId !== "" && !request.headers.has(WORKSPACE)) request.headers.set(WORKSPACE, workspaceId);
    return request;
  },
  onResponse({ request, response }) {
    if (response.status === 401 && !SIGNS_IN.test(request.url)) onSignedOut();
  },
});

type Answered = { readonly data?: unknown; readonly error?: unknown; readonly response: Response };

/**
 * The body of a good answer. Whatever goes wrong has a message that a screen may show as it is.
 * @throws ApiError with the server's sentence; or Unreachable
 */
export async function ok<Answer extends Answered>(
  asked: Promise<Answer>,
): Promise<NonNullable<Answer["data"]>> {
  const { data, error, response } = await asked.catch((fault: unknown): never => {
    throw new Unreachable(words.unreachable, { cause: fault });
  });
  if (!response.ok) throw refusalOf(response.status, error);
  return data as NonNullable<Answer["data"]>;
}

function refusalOf(status: number, error: unknown): ApiError | Unreachable {
  const body = (error as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;
  const { code, message } = body ?? {};
  // A proxy says so in its own way if the server behind it is away: Traefik with 404, as if there were no such thing.
  if ((status >= 500 || status === 404) && typeof message !== "string")
    return new Unreachable(words.unreachable);
  if (typeof message !== "string") return new ApiError(status, "", words.elsewhere(status));
  return refusal(status, typeof code === "string" ? code : "", message);
}

/** A sentence with which the server refused something, as an error. */
export function refusal(status: number, code: string, sentence: string): ApiError {
  const [, name, says] = /^`([\w.]+)`: ([\s\S]+)$/.exec(sentence) ?? [];
  return new ApiError(
    status,
    code,
    words.refusal(sentence),
    name === undefined || says === undefined ? null : { name, says: words.refusal(says) },
  );
}
