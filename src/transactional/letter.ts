import { domainOf } from "#core/email-address.ts";
import { accept, invalid, type Result } from "#core/errors.ts";
import type { Instant } from "#core/clock.ts";
import { tokensOf } from "#deliveries/token.ts";
import { feedbackId } from "#mail/feedback-id.ts";
import { parseLiquid, type LiquidKind } from "#mail/liquid.ts";
import { compileTransactional } from "#mail/transactional-mail.ts";
import { checkSubject, type SendRequest } from "./send-request.ts";
import type { SenderIdentity } from "./sender-identity.ts";

/** A request's letter: what the deliveries' sender asks for, and the Message-ID of each message. */
export type RequestLetter = {
  readonly envelopeSender: string;
  /** Without angle brackets: fixed by the message's place in the ledger, the same at every attempt. */
  messageIdOf(message: number): string;
  compose(
    message: { readonly number: number; readonly address: string },
    date: Instant,
  ): { bytes: string } | { problem: string };
};

export type LetterParts = {
  readonly workspaceId: string;
  readonly secret: Uint8Array;
  /** MJML to HTML; rejects where it cannot be compiled. */
  compileMjml(source: string): Promise<string>;
};

type Texts = Pick<SendRequest, "subject" | "html" | "text">;

/**
 * Fills in the variables, compiles MJML and encodes the message, once for all recipients. The refusal is the caller's to
 * mend. Variables go into the MJML source, escaped as in HTML, before it is compiled.
 */
export async function composeRequest(
  request: SendRequest,
  sender: SenderIdentity,
  parts: LetterParts,
): Promise<Result<RequestLetter>> {
  const texts = await writeTexts(request, parts.compileMjml);
  if (!texts.ok) return texts;
  const compiled = compile(request, sender, texts.value, parts.workspaceId);
  if (!compiled.ok) return compiled;
  const nameOf = new Map(request.to.map(({ email, name }) => [email, name]));
  const domain = domainOf(sender.from.address);
  const messageIdOf = (message: number): string => `${tokensOf(parts.secret, message).messageId}@${domain}`;
  return accept({
    envelopeSender: sender.from.address,
    messageIdOf,
    compose({ number, address }, date) {
      const recipient = { address, name: nameOf.get(address) ?? "", messageId: messageIdOf(number), date };
      const composed = compiled.value.compose(recipient);
      return composed.ok ? { bytes: composed.value } : { problem: composed.refusal.message };
    },
  });
}

async function writeTexts(
  request: SendRequest,
  compileMjml: LetterParts["compileMjml"],
): Promise<Result<Texts>> {
  const subject = filledIn("subject", request.subject, "line", request);
  if (!subject.ok) return subject;
  const fit = checkSubject(subject.value);
  if (!fit.ok) return fit;
  const source = request.html ?? request.mjml;
  const html =
    source === null
      ? accept(null)
      : filledIn(request.html === null ? "mjml" : "html", source, "html", request);
  if (!html.ok) return html;
  const text = request.text === null ? accept(null) : filledIn("text", request.text, "text", request);
  if (!text.ok) return text;
  const texts = { subject: fit.value, html: html.value, text: text.value };
  if (request.mjml === null || texts.html === null) return accept(texts);
  try {
    return accept({ ...texts, html: await compileMjml(texts.html) });
  } catch (error) {
    return invalid(`\`mjml\` cannot be compiled: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function filledIn(
  field: string,
  template: string,
  kind: LiquidKind,
  { variables }: SendRequest,
): Result<string> {
  if (variables === null) return accept(template);
  const parsed = parseLiquid(template, kind);
  const filled = parsed.ok ? parsed.value.render(variables) : parsed;
  return filled.ok ? filled : invalid(`\`${field}\`: ${filled.refusal.message}`);
}

/** HTML nested beyond all reason throws where its text alternative is made. */
function compile(
  request: SendRequest,
  { from, replyTo }: SenderIdentity,
  texts: Texts,
  workspaceId: string,
): ReturnType<typeof compileTransactional> {
  const { headers, attachments } = request;
  // The same for all requests, so that a mailbox provider can add them up.
  const ours = { feedbackId: feedbackId("send", workspaceId, "transactional") };
  try {
    return compileTransactional({ ...texts, ...ours, from, replyTo, headers, attachments });
  } catch (error) {
    return invalid(
      `The message cannot be composed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
