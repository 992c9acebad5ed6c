import { domainOf } from "#core/email-address.ts";
import type { Letter } from "#deliveries/sender/mailings.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { confirmTokenOf, tokensOf } from "#deliveries/token.ts";
import { compileConfirmation } from "#mail/letter/confirmation-mail.ts";
import { feedbackId } from "#mail/letter/feedback-id.ts";
import { LINK_VALID_DAYS, type ConfirmationContent } from "./confirmation.ts";

type ConfirmationParts = {
  readonly secret: Uint8Array;
  readonly baseUrl: string;
  /** The HTML made of CONFIRMATION_MJML. */
  readonly layout: string;
};

/** The letter of a mailing of kind `confirmation`: each message carries a link of its own. */
export function confirmationLetter(
  mailing: MailingUnderWay,
  content: ConfirmationContent,
  { secret, baseUrl, layout }: ConfirmationParts,
): Letter {
  const source = {
    ...content,
    feedbackId: feedbackId(mailing.sourceId, mailing.workspaceId, mailing.kind),
    linkValidDays: LINK_VALID_DAYS,
  };
  const compose = compileConfirmation(source, layout);
  const domain = domainOf(content.from.address);
  return {
    envelopeSender: content.from.address,
    compose({ number, address }, date) {
      const messageId = `${tokensOf(secret, number).messageId}@${domain}`;
      const confirmUrl = `${baseUrl}/confirm/${confirmTokenOf(secret, number)}`;
      const composed = compose({ address, messageId, date, confirmUrl });
      return composed.ok ? { bytes: composed.value } : { problem: composed.refusal.message };
    },
  };
}
