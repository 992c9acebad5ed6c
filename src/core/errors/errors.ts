/** Every error code that the API can answer. Only `http/errors.ts` maps them to a status. */
export type ErrorCode =
  | "BAD_REQUEST"
  | "INVALID_JSON"
  | "UNAUTHORIZED"
  | "CODE_REQUIRED"
  | "QUOTA_EXCEEDED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "REQUEST_TIMEOUT"
  | "CONFLICT"
  | "PAYLOAD_TOO_LARGE"
  | "VALIDATION_ERROR"
  | "CAMPAIGN_ALREADY_SENT"
  | "AUTOMATION_WRONG_STATE"
  | "WRONG_STATE"
  | "RATE_LIMITED"
  | "INTERNAL_ERROR"
  | "UNAVAILABLE"
  | "SEND_FAILED";

/** A "no" as data: rules return it instead of throwing. `message` is for the caller and says what to do. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly message: string;
  /** The reason may be gone in a moment, such as little memory: do not remember the refusal. */
  readonly isPassing?: true;
};

/** A value, or the reason there is none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export const accept = <T>(value: T): Result<T> => ({ ok: true, value });

export const refuse = (code: ErrorCode, message: string): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, message },
});

/** `refuse` for the most common reason: a field is missing or not acceptable. */
export const invalid = (message: string): { ok: false; refusal: Refusal } =>
  refuse("VALIDATION_ERROR", message);

/** Many messages name what was sent, such as an id, and that may have 4 MB. */
const MESSAGE_CHARACTERS_MAX = 4_000;

const shownMessage = (message: string): string =>
  message.length > MESSAGE_CHARACTERS_MAX
    ? `${message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed()}…`
    : message;

/** What services throw. `message` is public, and cut if it is very long; `cause` only goes to the log. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown; retryAfterS?: number },
  ) {
    super(shownMessage(message), options);
    this.name = "AppError";
    this.retryAfterS = options?.retryAfterS ?? null;
  }

  /** After how many seconds the same request may succeed; null if that is not known. */
  readonly retryAfterS: number | null;
}

/** A refusal as an exception. */
export const errorOf = ({ code, message }: Refusal): AppError => new AppError(code, message);

/** What is told of an error that stops one thing of many: its own words, or that the log has the details. */
export const refusalIn = (error: unknown): Refusal =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: "INTERNAL_ERROR", message: "Something went wrong on our side; the log has the details." };

export function throwIf(refusal: Refusal | null): void {
  if (refusal) throw errorOf(refusal);
}

/** The value of a result. Throws a refusal as an `AppError`. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw errorOf(result.refusal);
  return result.value;
}

export const notFound = (what: string): AppError =>
  new AppError("NOT_FOUND", `${what} was not found in this workspace.`);
