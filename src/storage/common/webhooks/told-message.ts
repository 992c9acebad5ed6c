import { domainOf } from "#core/addresses/email-address.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

/** What webhooks are told of all messages of a mailing; it never changes once the first was offered to a relay. */
export type ToldMailing = {
  readonly campaignId: string | null;
  readonly automationId: string | null;
  /** Of the sender's address; null where the letter is not kept. */
  readonly domain: string | null;
};

/** @param sender the address that the letter comes from; null where the letter is not kept */
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
