import type { Instant } from "#core/clock.ts";
import { DAY_MS } from "#core/time.ts";
import type { Way } from "./incoming.ts";

/** Mails that could not be read are kept for a person, so long and so many. The oldest give way. */
export const UNREAD_LIMITS = { ageMs: 90 * DAY_MS, count: 1_000, bytes: 64 * 1024 * 1024 } as const;

/** A mail that looks like a report, and could not be read as one. */
export type UnreadMail = {
  readonly workspaceId: string | null;
  readonly way: Way;
  readonly from: string;
  readonly subject: string;
  readonly raw: Uint8Array;
  readonly receivedAt: Instant;
};

/** The same as a list shows it. */
export type UnreadMailEntry = Omit<UnreadMail, "raw"> & {
  readonly number: number;
  readonly sizeBytes: number;
};
