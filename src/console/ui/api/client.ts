import createClient from "openapi-fetch";
import { facts } from "../frame/page-facts.ts";
import type { paths } from "./api.gen.ts";

/** What the server refused, in the words of whoever reads it: they say what to do. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** The field that the sentence begins with, and the rest of it; null where it is about none. */
  readonly field: { readonly name: string; readonly says: string } | null;
  constructor(status: number, code: string, message: string, field: ApiError["field"] = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** Where a 401 is no end of a session: the person is signing in. */
const SIGNS_IN = /\/session(?:\/passkey)?$/;

let workspaceId = "";
let onSignedOut = (): void => {};
let inOwnWords = (sentence: string): string => sentence;

/** From now on all requests are about this workspace. */
export function requestsAreAbout(id: string): void {
  workspaceId = id;
}

/** From now on refusals are said so. */
export function refusalsAreSaid(how: (sentence: string) => string): void {
  inOwnWords = how;
}

/** Called when the server no longer knows who asks. */
export function whenSignedOut(leave: () => void): void {
  onSignedOut = leave;
}

/** The API, typed from its own document: a route or a member that is not there does not compile. */
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
  const sentence = typeof message === "string" ? message : `HTTP ${status}`;
  const [, name, says] = /^`([\w.]+)`: ([\s\S]+)$/.exec(sentence) ?? [];
  return new ApiError(
    status,
    typeof code === "string" ? code : "",
    inOwnWords(sentence),
    name === undefined || says === undefined ? null : { name, says: inOwnWords(says) },
  );
}
