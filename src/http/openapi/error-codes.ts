import type { ErrorCode } from "#core/errors/errors.ts";
import { statusOf } from "#http/errors.ts";

/**
 * What an error code means on every route, and what the client can do. Routes say more (`route-errors.ts`).
 */
export type ErrorText = {
  readonly when: string;
  readonly advice: string;
  /** A typical text of `message`. */
  readonly message: string;
};

export const ERRORS: Readonly<Record<ErrorCode, ErrorText>> = {
  BAD_REQUEST: {
    when: "The request has two `Host` headers, or one that can be none. On any route.",
    advice: "Send one, with the name or address of this server. Look at the proxy in front.",
    message: "Send one Host header, with the name or address of this server.",
  },
  INVALID_JSON: {
    when: "The body is not valid JSON, or not in UTF-8. Only on `POST /events`, `POST /events/bulk` and `POST /send`; elsewhere what is not JSON counts as empty, and what is not in UTF-8 is `VALIDATION_ERROR`.",
    advice: "Send one JSON object. An empty body is no JSON either.",
    message: "The body is not valid JSON.",
  },
  UNAUTHORIZED: {
    when: "The API key is missing, unknown or revoked; or the session is over; or the address or the password is wrong.",
    advice:
      "Send `Authorization: Bearer pr_…` with a key of the workspace, or sign in again. Do not try again with the same one.",
    message: "Send a valid API key: `Authorization: Bearer pr_…`.",
  },
  CODE_REQUIRED: {
    when: "The password is right, and the account also asks for a code of its authenticator app.",
    advice: "Send `code`, the six digits that the app shows now. Each opens once.",
    message: "Send `code` too: six digits of your authenticator app.",
  },
  QUOTA_EXCEEDED: {
    when: "The send would pass the workspace's monthly limit. Nothing was sent.",
    advice: "Wait for the next month, send to fewer people, or raise `monthlyLimit` in the settings.",
    message: "This send would pass the monthly limit of 10000 messages.",
  },
  FORBIDDEN: {
    when: "The key's scope or the person's role does not cover this route; or a page of another site asks; or a setting belongs to whoever runs the service; or the workspace is suspended or its sending turned off. Nothing was sent or changed.",
    advice:
      "`message` says which of them it is. Use a key of another scope, or look at the settings `suspended` and `sending`.",
    message: "This API key has the scope `read`: it may make only GET requests. Use another key.",
  },
  NOT_FOUND: {
    when: "There is no such thing in this workspace, or no such route. What another workspace has looks the same.",
    advice: "Check the id and the key: each key sees one workspace. Of a session, check `X-Workspace`.",
    message: "The list list_01k9 was not found in this workspace.",
  },
  METHOD_NOT_ALLOWED: {
    when: "The route is there, but does not take this method.",
    advice: "The header `Allow` names the methods it takes.",
    message: "/api/v1/contacts takes GET, HEAD, POST, not PUT.",
  },
  REQUEST_TIMEOUT: {
    when: "Nothing came of the body for 24 seconds, or it took more than 120 (a file: six hours), or it waited 60 for other long ones. Nothing was changed.",
    advice: "Send it again, or less at once. The connection is closed.",
    message: "The body came too slowly: no pause may be longer than 24 seconds, and all of it has 2 minutes.",
  },
  CONFLICT: {
    when: "Another contact or person has this address, or it is the workspace's last owner, or an `Idempotency-Key` is in use or was used for another body.",
    advice:
      "Change the contact that has the address; use a new key for a new message. Where the first request of a key is still running, ask again in a minute.",
    message: "Another contact has the address ada@example.com.",
  },
  PAYLOAD_TOO_LARGE: {
    when: "The body is larger than the route takes (4 MiB; 16 MiB where it holds many things).",
    advice: "Send less at once.",
    message: "The body is larger than 4194304 bytes: send less at once.",
  },
  VALIDATION_ERROR: {
    when: "A field or filter is missing or not acceptable, or something stands in the way of a send. Nothing was changed.",
    advice:
      "`message` names the field and says what is asked for. The same request fails again until it is mended.",
    message: "`name` is required.",
  },
  CAMPAIGN_ALREADY_SENT: {
    when: "The campaign was sent, or is being sent: it cannot be changed, scheduled or sent again.",
    advice: "Nothing is wrong if you only wanted it sent. Make a new campaign for another mail.",
    message: "The campaign was sent already.",
  },
  AUTOMATION_WRONG_STATE: {
    when: "The automation's status may not change that way.",
    advice: "Read its status first: a DRAFT or PAUSED one can go LIVE, a LIVE one can be PAUSED.",
    message: "A DRAFT automation cannot be paused.",
  },
  WRONG_STATE: {
    when: "It is not in a state in which this can be done.",
    advice: "Read its state first; `message` says which one would do.",
    message: "The import is over: only one that is RUNNING can be cancelled.",
  },
  RATE_LIMITED: {
    when: "More than a route takes in some time. Nothing was done.",
    advice: "Wait as long as the header `Retry-After` says, in seconds.",
    message: "At most 60 addresses get tests in an hour. Try again in 900 seconds.",
  },
  INTERNAL_ERROR: {
    when: "Something failed on our side.",
    advice: "Try again later. The server's log has the details under the answer's `X-Request-Id`.",
    message:
      "Something went wrong on our side. The server's log has the details under this answer's X-Request-Id.",
  },
  UNAVAILABLE: {
    when: "Something else kept what the request needs locked in the database for too long.",
    advice: "Send the same again after as many seconds as the header `Retry-After` says.",
    message: "The database cannot be written: another process keeps it locked. Try again in a moment.",
  },
  SEND_FAILED: {
    when: "`POST /send` could mail none of its recipients.",
    advice: "Look at the relay, then send again with the same `Idempotency-Key`: it is free.",
    message: "No recipient could be mailed.",
  },
};

/** The typical message where the body is a file, which has more time. */
export const SLOW_UPLOAD =
  "The body came too slowly: no pause may be longer than 24 seconds, and all of it has 360 minutes.";

/** Sorted by status, because readers look codes up by status. */
export const ERROR_CODES: readonly ErrorCode[] = (Object.keys(ERRORS) as ErrorCode[]).toSorted(
  (a, b) => statusOf(a) - statusOf(b),
);

export const codesInWords = (): string =>
  ERROR_CODES.map((code) => `\`${code}\` (${statusOf(code)}): ${ERRORS[code].when}`).join(" ");
