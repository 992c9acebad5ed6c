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

/** Paths on which a 401 does not mean that a session is over: the person is signing in. */
const SIGNS_IN = /\/session(?:\/passkey)?$/;

let workspaceId = "";
let onSignedOut = (): void => {};
let inOwnWords = (sentence: string): string => sentence;

/** From now on all requests concern this workspace. */
export function requestsAreAbout(id: string): void {
  workspaceId = id;
}

/** Sets how refusals are worded from now on. */
export function refusalsAreSaid(how: (sentence: string) => string): void {
  inOwnWords = how;
}

/** Called when the server no longer knows the person. */
export function whenSignedOut(leave: () => void): void {
  onSignedOut = leave;
}

/** The API, typed from its own document: a route or a member that does not exist does not compile. */
export const api = createClient<paths>({ baseUrl: facts.root, credentials: "same-origin" });

api.use({
  onRequest({ request }) {
    if (workspaceId !== "") request.headers.set("X-Workspace", workspaceId);
    return request;
  },
  onResponse({ request, response }) {
    if (response.status === 401 && !SIGNS_IN.test(request.url)) onSignedOut();
  },
});

type Answered = { readonly data?: unknown; readonly error?: unknown; readonly response: Response };

/**
 * The body of a good answer.
 * @throws ApiError with the server's sentence; or TypeError if the server could not be reached
 */
export async function ok<Answer extends Answered>(
  asked: Promise<Answer>,
): Promise<NonNullable<Answer["data"]>> {
  const { data, error, response } = await asked;
  if (!response.ok) throw refusalOf(response.status, error);
  return data as NonNullable<Answer["data"]>;
}

function refusalOf(status: number, error: unknown): ApiError {
  const said = (error as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;
  const { code, message } = said ?? {};
  return refusal(
    status,
    typeof code === "string" ? code : "",
    typeof message === "string" ? message : `HTTP ${status}`,
  );
}

/** A sentence with which the server refused something, as an error. */
export function refusal(status: number, code: string, sentence: string): ApiError {
  const [, name, says] = /^`([\w.]+)`: ([\s\S]+)$/.exec(sentence) ?? [];
  return new ApiError(
    status,
    code,
    inOwnWords(sentence),
    name === undefined || says === undefined ? null : { name, says: inOwnWords(says) },
  );
}
