import { domainOf } from "#core/email-address.ts";
import { accept, type Result } from "#core/errors.ts";
import type { Instant } from "#core/clock.ts";
import { tokensOf } from "#deliveries/token.ts";
import { feedbackId } from "#mail/letter/feedback-id.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { readyTransactional } from "#mail/letter/transactional-mail.ts";
import type { Work } from "#work/pool.ts";
import type { SendRequest } from "./send-request.ts";
import type { SenderIdentity } from "./sender-identity.ts";

/** A request's letter: what the sender of deliveries needs, and the Message-ID of each message. */
export type RequestLetter = {
  readonly envelopeSender: string;
  /**
   * Without angle brackets. It follows from the message's number in the ledger, so every attempt has the same
   * one.
   */
  messageIdOf(message: number): string;
  compose(
    message: { readonly number: number; readonly address: string },
    date: Instant,
  ): Result<FinishedMessage>;
};

export type LetterParts = {
  readonly workspaceId: string;
  readonly secret: Uint8Array;
  readonly work: Pick<Work, "run">;
};

/**
 * Fills in the variables, compiles MJML and writes the message, once for all recipients
 * (`mail/letter/request-letter.ts`). The caller can correct what a refusal names.
 * @throws WorkLate
 */
export async function composeRequest(
  request: SendRequest,
  { from, replyTo }: SenderIdentity,
  { workspaceId, secret, work }: LetterParts,
): Promise<Result<RequestLetter>> {
  const { variables } = request;
  const written = await work.run(workspaceId, "request", {
    subject: request.subject,
    html: request.html,
    mjml: request.mjml,
    text: request.text,
    headers: request.headers,
    attachments: request.attachments,
    from,
    replyTo,
    variables: variables === null ? null : JSON.stringify(variables),
    // The same for all requests, so that a mailbox provider can count them together.
    feedbackId: feedbackId("send", workspaceId, "transactional"),
  });
  if (!written.ok) return written;
  const message = readyTransactional(written.value);
  const nameOf = new Map(request.to.map(({ email, name }) => [email, name]));
  const domain = domainOf(from.address);
  const messageIdOf = (number: number): string => `${tokensOf(secret, number).messageId}@${domain}`;
  return accept({
    envelopeSender: from.address,
    messageIdOf,
    compose({ number, address }, date) {
      const recipient = { address, name: nameOf.get(address) ?? "", messageId: messageIdOf(number), date };
      return message.compose(recipient);
    },
  });
}
