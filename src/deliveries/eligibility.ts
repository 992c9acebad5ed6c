import type { ContactStatus } from "#contacts/contact.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { SkipReason } from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";

/** What decides whether a message may be sent to somebody. */
export type BarringFacts = {
  readonly kind: MailKind;
  /** Null: the contact was deleted or has another address by now (or, for transactional mail, there never was one). */
  readonly status: ContactStatus | null;
  readonly suppression: SuppressionReason | null;
  readonly domainBlocked: boolean;
  /** True for a confirmation whose link no longer confirms anybody: the contact left after signing up. */
  readonly linkIsVoid?: boolean;
  /** True for a test of marketing mail. A suppressed address gets none, whoever suppressed it. */
  readonly isForTest?: boolean;
};

/** What keeps a message from somebody. The statuses are those of the contact that are not SUBSCRIBED. */
export type Barrier =
  | Exclude<ContactStatus, "SUBSCRIBED">
  | "SUPPRESSED"
  | "BLOCKED_DOMAIN"
  | "CONTACT_GONE"
  | "LINK_VOID";

const SKIPPED_AS: Readonly<Record<Barrier, SkipReason>> = {
  PENDING: "OPTED_OUT",
  UNSUBSCRIBED: "OPTED_OUT",
  BOUNCED: "OPTED_OUT",
  SUPPRESSED: "SUPPRESSED",
  BLOCKED_DOMAIN: "BLOCKED_DOMAIN",
  CONTACT_GONE: "CONTACT_GONE",
  LINK_VOID: "OPTED_OUT",
};

/**
 * Every reason why a message may not be sent now, the most important first; empty if it may be sent
 * (docs/contract.md "Consent model"). Marketing mail goes to SUBSCRIBED contacts whose address is not suppressed.
 * Transactional mail and confirmations go to the person who asked for them, also to people who opted out of
 * marketing, but not to dead, complaining or blocked addresses.
 */
export function barriersOf(facts: BarringFacts): Barrier[] {
  const { kind, status, suppression } = facts;
  const marketing = kind === "campaign" || kind === "automation";
  const barriers: Barrier[] = [];
  if (facts.linkIsVoid) barriers.push("LINK_VOID");
  if (marketing && status === null) barriers.push("CONTACT_GONE");
  if (marketing && status === "UNSUBSCRIBED") barriers.push(status);
  const isEveryReason = marketing || facts.isForTest === true;
  if (suppression !== null && (isEveryReason || suppression !== "UNSUBSCRIBED")) barriers.push("SUPPRESSED");
  if (marketing && (status === "PENDING" || status === "BOUNCED")) barriers.push(status);
  if (facts.domainBlocked) barriers.push("BLOCKED_DOMAIN");
  return barriers;
}

/** Why a message may not be sent now; null if it may. Checked when the message is taken, and again at its dot. */
export function barredBy(facts: BarringFacts): SkipReason | null {
  const [first] = barriersOf(facts);
  return first === undefined ? null : SKIPPED_AS[first];
}
