import type { ContactStatus } from "#contacts/contact.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { SkipReason } from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";

export type Standing = {
  readonly kind: MailKind;
  /** Null: the contact was deleted (or, for transactional mail, there never was one). */
  readonly status: ContactStatus | null;
  readonly suppression: SuppressionReason | null;
  readonly domainBlocked: boolean;
  /** True for a confirmation whose link confirms nobody any more: the contact left after signing up. */
  readonly linkIsVoid?: boolean;
};

/**
 * Why a message may not be sent now; null where it may. Checked when the message is taken, and again at its
 * dot (docs/contract.md "Consent model"). Marketing mail goes to SUBSCRIBED contacts whose address is not
 * suppressed. Transactional mail and confirmations go to the person who asked for them, also to people who
 * opted out of marketing, but not to dead, complaining or blocked addresses.
 */
export function barredBy(standing: Standing): SkipReason | null {
  if (standing.linkIsVoid) return "OPTED_OUT";
  const marketing = standing.kind === "campaign" || standing.kind === "automation";
  if (marketing && standing.status === null) return "CONTACT_GONE";
  if (marketing && standing.status === "UNSUBSCRIBED") return "OPTED_OUT";
  if (standing.suppression !== null && (marketing || standing.suppression !== "UNSUBSCRIBED"))
    return "SUPPRESSED";
  if (marketing && standing.status !== "SUBSCRIBED") return "OPTED_OUT";
  return standing.domainBlocked ? "BLOCKED_DOMAIN" : null;
}
