import type { Instant } from "#core/clock.ts";
import { parseDateTime } from "#core/date-time.ts";
import { parseEmailAddress } from "#core/email-address.ts";
import { accept, invalid, type Result } from "#core/errors.ts";

const SCHEDULE_LEAD_MS = 30_000;
/** More would hold everybody up while they are read and written. */
export const EXCLUDED_MAX = 10_000;

type Body = Readonly<Record<string, unknown>>;

/** `excludeEmails` are in the form contacts' addresses are stored in, each once. */
export type SendOptions = { readonly excludeEmails: readonly string[]; readonly overrideQuietHours: boolean };

/** Reads `{ scheduledAt }` of POST /campaigns/{id}/schedule: an ISO 8601 date-time, UTC without an offset, at least 30 s after `now`. */
export function parseSchedule(body: Body, now: Instant): Result<Instant> {
  const { scheduledAt } = body;
  if (scheduledAt === undefined || scheduledAt === null)
    return invalid("`scheduledAt` is required, like 2026-11-21T09:30:00Z.");
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

/** Reads the optional body of POST /campaigns/{id}/send. */
export function parseSendOptions(body: Body): Result<SendOptions> {
  const overrideQuietHours = body.overrideQuietHours ?? false;
  if (typeof overrideQuietHours !== "boolean") return invalid("`overrideQuietHours` must be true or false.");
  const excludeEmails = parseExcludeEmails(body.excludeEmails ?? []);
  if (!excludeEmails.ok) return excludeEmails;
  return accept({ excludeEmails: excludeEmails.value, overrideQuietHours });
}

/** An entry that is no address matches nobody and is kept, lowercased: refusing the send over it would help no one. */
function parseExcludeEmails(value: unknown): Result<string[]> {
  if (!Array.isArray(value)) return invalid("`excludeEmails` must be an array of email addresses.");
  if (value.length > EXCLUDED_MAX)
    return invalid(
      `\`excludeEmails\` has ${value.length} entries; at most ${EXCLUDED_MAX} are allowed. Take them off the list instead.`,
    );
  const addresses = new Set<string>();
  for (const entry of value as unknown[]) {
    if (typeof entry !== "string") return invalid("Every entry of `excludeEmails` must be a string.");
    const address = parseEmailAddress(entry);
    addresses.add(address.ok ? address.value : entry.trim().toLowerCase());
  }
  return accept([...addresses]);
}
