/** Messages of POST /send as people look them up. Their content is not stored, so it is not here. */
import type { Instant } from "#core/time/clock.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";

/** `QUEUED`: it waits for a connection to the relay, or for its next try. */
export const MESSAGE_STATES = ["QUEUED", "SENT", "BOUNCED", "FAILED", "UNCERTAIN", "SKIPPED"] as const;
type MessageState = (typeof MESSAGE_STATES)[number];

export type Message = {
  readonly number: number;
  /** The `id` that POST /send answered with. */
  readonly sendId: string;
  readonly email: string;
  /** Null if no contact has the address, or the contact was deleted. */
  readonly contactId: string | null;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly reply: SmtpReply | null;
  readonly attempts: number;
  readonly tags: readonly string[];
  /** The sender's address; null for messages of versions that did not keep it. */
  readonly from: string | null;
  readonly createdAt: Instant;
  readonly settledAt: Instant | null;
  /** When the message bounced after it had been sent. */
  readonly bouncedAt: Instant | null;
};

/** A message with what happened to it. */
export type ShownMessage = Message & {
  /** Without angle brackets; null if it was never tried. */
  readonly messageId: string | null;
  /** When the relay accepted the message, even if it bounced later. */
  readonly sentAt: Instant | null;
};

/** A report about the message (`bounces/report.ts`). */
export type MessageReport = {
  readonly at: Instant;
  readonly kind: string;
  readonly words: string;
};

export const MESSAGE_MOMENTS = [
  "REQUESTED",
  "SENT",
  "BOUNCED",
  "FAILED",
  "UNCERTAIN",
  "SKIPPED",
  "REPORTED",
  "COMPLAINED",
] as const;

/** Something that happened to a message. */
export type MessageMoment = {
  readonly at: Instant;
  readonly what: (typeof MESSAGE_MOMENTS)[number];
  /** What the relay or the report said. */
  readonly words: string | null;
};

/** What happened to a message, the oldest first. */
export function historyOf(
  { state, createdAt, settledAt, bouncedAt, reply }: Message,
  reports: readonly MessageReport[],
): MessageMoment[] {
  const words = reply?.text ?? null;
  const moments: MessageMoment[] = [{ at: createdAt, what: "REQUESTED", words: null }];
  if (settledAt !== null && bouncedAt !== null) {
    moments.push({ at: settledAt, what: "SENT", words: null }, { at: bouncedAt, what: "BOUNCED", words });
  } else if (settledAt !== null && state !== "QUEUED") moments.push({ at: settledAt, what: state, words });
  for (const report of reports)
    moments.push({
      at: report.at,
      what: report.kind === "complaint" ? "COMPLAINED" : "REPORTED",
      words: report.words,
    });
  return moments.toSorted((a, b) => a.at - b.at);
}

export type MessageFilter = { readonly state: MessageState | null; readonly email: string | null };

/**
 * Reads `state` and `email` of GET /messages; an empty value means no filter. An invalid `email` is refused: it
 * would match nobody, and look as if nothing had been sent there.
 */
export function parseMessageFilter(
  query: Readonly<Record<string, string | undefined>>,
): Result<MessageFilter> {
  const state = MESSAGE_STATES.find((known) => known === query.state) ?? null;
  if (query.state && state === null) return invalid(`\`state\` must be one of ${MESSAGE_STATES.join(", ")}.`);
  if (!query.email) return accept({ state, email: null });
  const email = parseEmailAddress(query.email);
  return email.ok ? accept({ state, email: email.value }) : email;
}

const ID = /^delivery_([1-9][0-9]{0,14})$/;

/** The API's id of the message with this number; a contact's timeline uses the same id. */
export const messageRecordIdOf = (number: number): string => `delivery_${number}`;

/** The number in an id; null if no message can have this id. */
export function messageNumberOf(id: string): number | null {
  const digits = ID.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
