import { domainOf } from "#core/addresses/email-address.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

/** What webhooks send about all messages of a mailing. It never changes after the first was offered to a relay. */
export type ToldMailing = {
  readonly campaignId: string | null;
  readonly automationId: string | null;
  /** The domain of the sender's address; null if the letter is not stored. */
  readonly domain: string | null;
};

/** @param sender the sender's address in the letter; null if the letter is not stored */
export function toldMailing(row: {
  readonly kind: MailKind;
  readonly sourceId: string;
  readonly sender: string | null;
}): ToldMailing {
  const { kind, sourceId, sender } = row;
  const source = sourceId.split(":", 1)[0] ?? sourceId;
  return {
    campaignId: kind === "campaign" ? source : null,
    automationId: kind === "automation" ? source : null,
    domain: sender === null ? null : domainOf(sender),
  };
}
