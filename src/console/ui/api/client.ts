import createClient from "openapi-fetch";
import { facts } from "../frame/page-facts.ts";
import type { paths } from "./api.gen.ts";

/** What the server refused, in the words of whoever reads it: they say what to do. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
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
  return new ApiError(
    status,
    typeof code === "string" ? code : "",
    typeof message === "string" ? inOwnWords(message) : `HTTP ${status}`,
  );
}
