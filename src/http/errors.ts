import { AppError, type ErrorCode } from "#core/errors/errors.ts";

/** The only table from error code to HTTP status (docs/contract.md "Errors"; docs/decisions.md "HTTP"). */
const STATUS: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  INVALID_JSON: 400,
  UNAUTHORIZED: 401,
  CODE_REQUIRED: 401,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  VALIDATION_ERROR: 422,
  CAMPAIGN_ALREADY_SENT: 422,
  AUTOMATION_WRONG_STATE: 422,
  WRONG_STATE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  SEND_FAILED: 502,
};

export const statusOf = (code: ErrorCode): number => STATUS[code];

export type ErrorAnswer = {
  status: number;
  code: ErrorCode;
  message: string;
  retryAfterS?: number | null;
};

/**
 * What the caller may see of an error. An unexpected error becomes an INTERNAL_ERROR without details; the log
 * has the rest.
 */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof AppError)
    return {
      status: STATUS[error.code],
      code: error.code,
      message: error.message,
      retryAfterS: error.retryAfterS,
    };
  return {
    status: 500,
    code: "INTERNAL_ERROR",
    message:
      "Something went wrong on our side. The server's log has the details under this answer's X-Request-Id.",
  };
}

/**
 * For every answer of the API: it is for whoever asked, and shows people or a secret. Without it, a cache in front may keep
 * an answer to one key for another key (nginx does, if it is told to cache), and a browser may keep an export on its disk.
 */
export const NOT_KEPT = { "Cache-Control": "no-store" };

export function errorResponse(
  { status, code, message, retryAfterS = null }: ErrorAnswer,
  headers: Readonly<Record<string, string>>,
): Response {
  return Response.json(
    { error: { code, message } },
    {
      status,
      headers: {
        ...NOT_KEPT,
        ...EXTRA_HEADERS[code],
        ...(retryAfterS === null ? {} : { "Retry-After": String(retryAfterS) }),
        ...headers,
      },
    },
  );
}

/** Every 401 has to have one (RFC 9110, section 15.5.2). */
const CHALLENGE = { "WWW-Authenticate": "Bearer" };

const EXTRA_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  UNAUTHORIZED: CHALLENGE,
  CODE_REQUIRED: CHALLENGE,
};
