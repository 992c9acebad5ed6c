import type { Move } from "./move.ts";

/** Why a row was moved by the end of the process, or of the thread, that had it. */
export const SERVER_STOPPED = "SERVER_STOPPED";

/**
 * What a process left at its dot when it ended: nobody can know whether the dot was sent before the end, so it is
 * never tried again. No time-outs, no guessing.
 */
export const LEFT_AT_DOT: Move = { to: "uncertain", reason: SERVER_STOPPED, countsAsAttempt: true };

/**
 * What a transactional request still owed when its process ended has failed. The caller got no answer and no
 * promise, and the letter was in memory only. A receipt or a sign-in code that comes late, in addition to the one
 * the caller has requested again, does harm.
 */
export const LEFT_UNANSWERED: Move = { to: "failed", reason: SERVER_STOPPED, countsAsAttempt: false };
