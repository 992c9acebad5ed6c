import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { ReportWay } from "./incoming.ts";

/**
 * Mails that could not be read are kept for a person to look at: this long, and this many. The oldest are
 * dropped first.
 */
export const UNREAD_LIMITS = { ageMs: 90 * DAY_MS, count: 1_000, bytes: 64 * 1024 * 1024 } as const;

/** A mail that looks like a report, and could not be read as one. */
export type UnreadMail = {
  readonly workspaceId: string | null;
  readonly way: ReportWay;
  readonly from: string;
  readonly subject: string;
  readonly raw: Uint8Array;
  readonly receivedAt: Instant;
};

/** A mail as a list shows it. */
export type UnreadMailEntry = Omit<UnreadMail, "raw"> & {
  readonly number: number;
  readonly sizeBytes: number;
};

/** A mail with its content. */
export type ShownUnreadMail = UnreadMailEntry & {
  /** The text for people; `""` if the mail cannot be split into parts. */
  readonly text: string;
  /** The mail as it came. Bytes that are not UTF-8 are replaced. */
  readonly source: string;
};

const ID = /^bounce_([1-9][0-9]{0,14})$/;

/** The API's id of the mail with this number. */
export const unreadIdOf = (number: number): string => `bounce_${number}`;

/** The number in an id; null if no mail can have this id. */
export function unreadNumberOf(id: string): number | null {
  const digits = ID.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
