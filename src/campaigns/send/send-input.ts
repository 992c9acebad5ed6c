import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { ScheduleBody, SendBody } from "#campaigns/schema.ts";

const SCHEDULE_LEAD_MS = 30_000;

/** `excludeEmails` are in the form in which contacts' addresses are stored, without duplicates. */
export type SendOptions = { readonly excludeEmails: readonly string[]; readonly overrideQuietHours: boolean };

/**
 * Reads `{ scheduledAt }` of POST /campaigns/{id}/schedule: an ISO 8601 date-time, UTC without an offset, at
 * least 30 s after `now`.
 */
export function parseSchedule(body: ScheduleBody, now: Instant): Result<Instant> {
  const { scheduledAt } = body;
  if (scheduledAt === null) return invalid("`scheduledAt` is required, like 2026-11-21T09:30:00Z.");
  const at = typeof scheduledAt === "string" ? parseDateTime(scheduledAt.trim()) : null;
  if (at === null) {
    return invalid(
      "`scheduledAt` must be an ISO 8601 date and time that exists, like 2026-11-21T09:30:00Z or 2026-11-21T09:30+01:00.",
    );
  }
  if (at < now + SCHEDULE_LEAD_MS)
    return invalid("`scheduledAt` must be at least 30 seconds in the future. Use send to send now.");
  return accept(at);
}

/** Reading an address takes a tenth of a millisecond at most: its domain may be in any script. */
const ENTRIES_A_PIECE = 100;

/** Reads the optional body of POST /campaigns/{id}/send. Yields after each piece of work. */
export function* readSendOptions({
  excludeEmails = [],
  overrideQuietHours = false,
}: SendBody): Generator<void, SendOptions, void> {
  const emails = new Set<string>();
  for (let from = 0; from < excludeEmails.length; from += ENTRIES_A_PIECE) {
    if (from > 0) yield;
    for (const entry of excludeEmails.slice(from, from + ENTRIES_A_PIECE)) emails.add(excluded(entry));
  }
  return { excludeEmails: [...emails], overrideQuietHours };
}

/** As mail programs copy a person: "Ada <ada@example.com>". */
const NAMED = /<([^<>]{1,320})>\s{0,9}$/;

/**
 * With a name in front of the address, the address is meant. An entry that is not an address matches nobody. It is
 * kept, in lower case: refusing the send because of it would help nobody.
 */
function excluded(entry: string): string {
  const [, named = entry] = NAMED.exec(entry) ?? [];
  const address = parseEmailAddress(named);
  return address.ok ? address.value : entry.trim().toLowerCase();
}
