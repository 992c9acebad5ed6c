import { DAY_MS } from "#core/time.ts";

/** Mails that nobody understands are kept for a person, so long and so many. The oldest give way. */
export const UNREAD_LIMITS = { ageMs: 90 * DAY_MS, count: 1_000, bytes: 64 * 1024 * 1024 } as const;
