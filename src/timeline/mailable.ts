import type { ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { barriersOf, type Barrier } from "#deliveries/eligibility.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { SUPPRESSION_WORDS } from "./suppression-words.ts";

/** What decides whether somebody gets campaigns, with the times that are known. */
export type PersonStanding = {
  readonly contact: Contact;
  /** Of their address. */
  readonly suppression: { readonly reason: SuppressionReason; readonly createdAt: Instant } | null;
  /** Since when their domain is blocked; null if it is not. */
  readonly domainBlockedAt: Instant | null;
  /** Their latest entries of the consent log about all marketing mail, newest first by their time. */
  readonly consents: readonly Pick<ConsentRecord, "action" | "source" | "at">[];
};

export const NOT_MAILED_CODES = [
  "PENDING",
  "UNSUBSCRIBED",
  "BOUNCED",
  "SUPPRESSED",
  "BLOCKED_DOMAIN",
] as const satisfies readonly Barrier[];

type NotMailedCode = (typeof NOT_MAILED_CODES)[number];

/** One reason why somebody gets no campaigns. */
export type NotMailed = {
  readonly code: NotMailedCode;
  readonly message: string;
  /** Null where nothing that is stored says when it began. */
  readonly since: Instant | null;
};

/**
 * Every reason why a person gets no campaigns; empty if they get them. The rule that decides at sending decides
 * here too; this only adds words and times.
 */
export function reasonsNotMailed(standing: PersonStanding): NotMailed[] {
  const { contact, suppression, domainBlockedAt } = standing;
  return barriersOf({
    kind: "campaign",
    status: contact.status,
    suppression: suppression?.reason ?? null,
    domainBlocked: domainBlockedAt !== null,
  }).flatMap((barrier) => (isCode(barrier) ? [explained(barrier, standing)] : []));
}

/** The other barriers concern messages, never a contact that exists. */
const isCode = (barrier: Barrier): barrier is NotMailedCode =>
  NOT_MAILED_CODES.some((code) => code === barrier);

function explained(code: NotMailedCode, standing: PersonStanding): NotMailed {
  const { contact, suppression, domainBlockedAt, consents } = standing;
  switch (code) {
    case "PENDING":
      // Nobody becomes PENDING later: see the arrows in contacts/consent/consent.ts.
      return { code, message: "They have not agreed to marketing mail yet.", since: contact.createdAt };
    case "UNSUBSCRIBED":
      return {
        code,
        message: "They opted out.",
        since: withdrawnSince(consents, (from) => from !== "bounce"),
      };
    case "BOUNCED":
      return {
        code,
        message: "Mail to them bounced.",
        since: withdrawnSince(consents, (from) => from === "bounce"),
      };
    case "SUPPRESSED": {
      const why = suppression === null ? "" : `: ${SUPPRESSION_WORDS[suppression.reason]}`;
      return { code, message: `Their address is suppressed${why}.`, since: suppression?.createdAt ?? null };
    }
    case "BLOCKED_DOMAIN":
      return { code, message: `Mail to ${domainOf(contact.email)} is blocked.`, since: domainBlockedAt };
  }
}

/**
 * The first withdrawal from such a source after the person last agreed, as far as the consent log knows. A status
 * that an API call set without `consent` is not in the log: then null.
 */
function withdrawnSince(
  consents: PersonStanding["consents"],
  isMeant: (source: ConsentRecord["source"]) => boolean,
): Instant | null {
  const agreed = consents.findIndex(({ action }) => action === "GIVEN");
  const since = agreed < 0 ? consents : consents.slice(0, agreed);
  return since.findLast(({ source }) => isMeant(source))?.at ?? null;
}
