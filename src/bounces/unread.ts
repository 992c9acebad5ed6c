import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { Way } from "./incoming.ts";

/**
 * Mails that could not be read are kept for a person to look at: this long, and this many. The oldest are
 * dropped first.
 */
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

/** One of them to look at. */
export type ShownUnreadMail = UnreadMailEntry & {
  /** What people read in it; `""` where it cannot be taken apart. */
  readonly text: string;
  /** The mail as it came. What is no UTF-8 in it is replaced. */
  readonly source: string;
};

const ID = /^bounce_([1-9][0-9]{0,14})$/;

/** The API's id of the mail with this number. */
export const unreadIdOf = (number: number): string => `bounce_${number}`;

/** The number in an id; null where nothing can have this id. */
export function unreadNumberOf(id: string): number | null {
  const digits = ID.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
