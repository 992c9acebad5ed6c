import type { Instant } from "#core/time/clock.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type { DeliveryState } from "./ledger.ts";

/** A row of the ledger as the API shows it. */
export type DeliveryRecord = {
  /** Null when the contact was deleted later. */
  readonly contactId: string | null;
  readonly email: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  /** Why the message could not be composed, in words. */
  readonly detail: string | null;
  readonly reply: SmtpReply | null;
  readonly attempts: number;
  readonly sentAt: Instant | null;
};

/** Which rows are wanted. Null: any. `email` is an address in its stored form. */
export type DeliveryFilter = {
  readonly state: DeliveryState | null;
  readonly email: string | null;
  readonly reason: string | null;
};

/** How many messages are in a state for a reason. */
export type ReasonCount = { readonly state: DeliveryState; readonly reason: string; readonly count: number };
