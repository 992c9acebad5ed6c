import { invalid, type Refusal } from "#core/errors/errors.ts";

/** Why no mail of any kind can be sent from here; null: it can. */
export const senderMissing = (fromEmail: string): Refusal | null =>
  fromEmail.trim() === ""
    ? invalid("The workspace has no sender address. Set `fromEmail` in its settings.").refusal
    : null;

/**
 * Why no campaign and no mail of an automation can be sent: the law asks for a postal address in each (CAN-SPAM,
 * 15 U.S.C. 7704). Null: they can.
 */
export const marketingMissing = (mailingAddress: string, fromEmail: string): Refusal | null =>
  mailingAddress.trim() === ""
    ? invalid("The workspace has no physical mailing address. Set `mailingAddress` in its settings.").refusal
    : senderMissing(fromEmail);
