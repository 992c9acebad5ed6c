import type { Move } from "./move.ts";

/** Why a row was moved: the process, or the thread, that had it has ended. */
export const SERVER_STOPPED = "SERVER_STOPPED";

/**
 * A message at its dot when its process ended: nobody can know whether the dot was sent, so it is never tried
 * again. No time-outs, no guessing.
 */
export const LEFT_AT_DOT: Move = { to: "uncertain", reason: SERVER_STOPPED, countsAsAttempt: true };

/**
 * What a transactional request still owed when its process ended has failed. The caller got no answer and no
 * promise, and the letter was in memory only. By now the caller may have sent the request again, and a second
 * receipt or sign-in code that arrives late does harm.
 */
export const LEFT_UNANSWERED: Move = { to: "failed", reason: SERVER_STOPPED, countsAsAttempt: false };
