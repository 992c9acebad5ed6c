import { domainOf } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Composed } from "#deliveries/letter.ts";
import { messageIdOf } from "#deliveries/token.ts";
import { feedbackId } from "#mail/letter/marketing/feedback-id.ts";
import type { RequestSource } from "#mail/letter/single/request-letter.ts";
import { readyTransactional } from "#mail/letter/single/transactional-message.ts";
import type { CompiledTemplates } from "#templates/compiled-templates.ts";
import type { Template } from "#templates/template.ts";
import type { Work } from "#work/pool.ts";
import type { SendRequest } from "#transactional/request/send-request.ts";
import type { SenderIdentity } from "#transactional/request/sender-identity.ts";

/** A request's letter: what the sender of deliveries needs, and the Message-ID of each message. */
export type RequestLetter = {
  readonly envelopeSender: string;
  /** Without angle brackets. It is made from the message's number in the ledger, so every attempt has the same one. */
  messageIdOf(message: number): string;
  compose(
    message: { readonly number: number; readonly address: string },
    date: Instant,
  ): Composed | Promise<Composed>;
};

export type LetterParts = {
  readonly workspaceId: string;
  readonly secret: Uint8Array;
  readonly work: Pick<Work, "run">;
  readonly compiledTemplates: Pick<CompiledTemplates, "fill">;
};

/**
 * Fills in the variables, compiles MJML and writes the message, once for all recipients
 * (`mail/letter/single/request-letter.ts`). The request's own members override its template's. A refusal is
 * something that the caller can correct.
 * @throws WorkLate
 */
export async function composeRequest(
  request: SendRequest,
  template: Template | null,
  { from, replyTo }: SenderIdentity,
  parts: LetterParts,
): Promise<Result<RequestLetter>> {
  const { workspaceId, secret, work } = parts;
  const { variables } = request;
  const texts = await textsOf(request, template, parts);
  if (!texts.ok) return texts;
  const written = await work.run(workspaceId, "request", {
    ...texts.value,
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
  const idOf = (number: number): string => `${messageIdOf(secret, number)}@${domain}`;
  return accept({
    envelopeSender: from.address,
    messageIdOf: idOf,
    compose({ number, address }, date) {
      const recipient = { address, name: nameOf.get(address) ?? "", messageId: idOf(number), date };
      return message.compose(recipient);
    },
  });
}

type Texts = Pick<RequestSource, "subject" | "html" | "mjml" | "text" | "filled">;

async function textsOf(
  request: SendRequest,
  template: Template | null,
  { workspaceId, compiledTemplates }: LetterParts,
): Promise<Result<Texts>> {
  const { html, mjml, text } = request;
  const own = { html, mjml, text };
  if (template === null) return accept({ ...own, subject: request.subject ?? "", filled: [] });
  const filled = await compiledTemplates.fill(workspaceId, template, request.variables ?? {});
  if (!filled.ok) return invalid(`The template ${template.id}: ${filled.refusal.message}`);
  const subject = request.subject ?? filled.value.subject;
  const parts: ("subject" | "html")[] = request.subject === null ? ["subject"] : [];
  if (html !== null || mjml !== null) return accept({ ...own, subject, filled: parts });
  return accept({ html: filled.value.html, mjml: null, text, subject, filled: [...parts, "html"] });
}
