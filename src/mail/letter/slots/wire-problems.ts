/** What keeps a value from ending its header line, for every kind of mail. */
import { oneLine } from "#mail/mime/headers.ts";
import { isWireAddress, isWireMessageId, isWireValue } from "./wire-values.ts";

/** Why a message with this subject cannot be sent. */
export const subjectProblem = (subject: string): string | null =>
  oneLine(subject) === "" ? "The subject is empty. Write one." : null;

type Sender = {
  readonly from: { readonly address: string };
  readonly replyTo: string | null;
  readonly feedbackId: string;
};

/** Why nobody can be mailed from this sender. */
export function senderProblem({ from, replyTo, feedbackId }: Sender): string | null {
  if (!isWireAddress(from.address))
    return "The sender address is not a plain ASCII address. Set another one.";
  if (replyTo !== null && !isWireAddress(replyTo))
    return "The reply-to address is not a plain ASCII address. Set another one or none.";
  return isWireValue(feedbackId) ? null : "The Feedback-ID holds a space or a character that is not ASCII.";
}

/** Why this one recipient cannot be mailed, although others can. */
export function addressProblem(of: { readonly address: string; readonly messageId: string }): string | null {
  if (!isWireAddress(of.address)) return "The recipient's address is not a plain ASCII address.";
  return isWireMessageId(of.messageId) ? null : "The Message-ID is not of the form left@right in ASCII.";
}
