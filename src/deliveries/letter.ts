import { domainOf } from "#core/addresses/email-address.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { feedbackId } from "#mail/letter/marketing/feedback-id.ts";
import { readyMarketing } from "#mail/letter/marketing/marketing-message.ts";
import { PLAIN_LETTER } from "#mail/letter/letter-options.ts";
import { plainPreheader, type AuthoredLetter } from "#mail/letter/slots/liquid-letter.ts";
import type {
  LetterParts,
  MarketingLetter,
  MarketingTemplate,
  Recipient,
} from "#mail/letter/marketing/marketing-mail.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { lasting, type Work } from "#work/pool.ts";
import type { MailingContent, OwedMessage } from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";
import type { MailingOrigin, MailingUnderWay } from "./store.ts";
import { tokensOf } from "./token.ts";

/**
 * A letter, ready for its recipients. Composing returns a refusal for a fault of the letter itself; then the
 * message fails. An exception (for example, the links cannot be written now) is no fault of the letter: the message
 * stays owed and is tried again.
 */
export type Letter = {
  /** The sender's own address. Bounces go there, unless the workspace has a `bounceDomain` (`WayOut`). */
  readonly envelopeSender: string;
  /**
   * Each message needs a thread for some time. So only one at a time gets a connection; otherwise they would
   * keep all connections from the others.
   */
  readonly isSlow?: boolean;
  /** It is filled in with values of the contacts, so they are read with the rows, many at once. */
  readonly needsPeople?: boolean;
  compose(message: OwedMessage, date: Instant): Composed | Promise<Composed>;
};

export type Composed = Result<FinishedMessage>;

/** Compiles the letter of a mailing. */
export type LetterOf = (mailing: MailingUnderWay) => Promise<Letter>;

/**
 * The letter for each kind of mailing, made by the feature that knows it. A request's letter is not stored:
 * the caller who waits for it passes it on (`Sender.begin`).
 */
export function letterByKind(
  makers: Readonly<Record<Exclude<MailKind, "transactional">, LetterOf>>,
): LetterOf {
  return async (mailing) => {
    if (mailing.kind === "transactional") throw new Error("nobody waits for this request any more");
    return await makers[mailing.kind](mailing);
  };
}

export type LetterSource = {
  readonly secret: Uint8Array;
  readonly baseUrl: string;
  readonly work: Pick<Work, "run">;
};

/** The parts of a letter, as its mailing was frozen with them. */
export function authoredOf({ subject, html, options = PLAIN_LETTER }: MailingContent): AuthoredLetter {
  return { subject, html, preheader: options.preheader, text: options.text };
}

/** The parts of a letter that is sent as written. */
export const wholeParts = ({ subject, html, preheader, text }: AuthoredLetter): WholeParts => ({
  subject,
  html: [html],
  preheader: plainPreheader(preheader),
  text: text === null ? null : [text],
});

export type WholeParts = {
  readonly subject: string;
  readonly html: readonly string[];
  readonly preheader: readonly string[];
  readonly text: readonly string[] | null;
};

/**
 * A letter that is the same for everybody: a campaign's letter that is not personal, or a single message that must
 * be compiled on its own. HTML that cannot be compiled fails message by message, like any other letter that cannot
 * be composed. `isLast`: so does what was refused for now. @throws WorkLate
 */
export async function sameForAll(
  mailing: MailingUnderWay,
  content: MailingContent,
  template: WholeParts,
  source: LetterSource,
  isLast = false,
): Promise<Letter & { readonly links: readonly string[] }> {
  const envelopeSender = content.from.address;
  const made = await compileLetter(mailing, content, template, source);
  const compiled = isLast ? made : lasting(made);
  if (!compiled.ok) return { links: [], envelopeSender, compose: () => compiled };
  const letter = present(compiled.value, "letter without values");
  return {
    links: letter.links([]),
    envelopeSender,
    compose: (message, date) => letter.compose(recipientOf(source.secret, content, message, date)),
  };
}

/**
 * Compiles the letter of a campaign or an automation. Null: its values affect how the HTML is parsed, so each
 * message must be compiled on its own. @throws WorkLate
 */
export async function compileLetter(
  mailing: MailingOrigin,
  content: Omit<MailingContent, "html" | "subject">,
  parts: LetterParts & Pick<MarketingTemplate, "subject">,
  { baseUrl, work }: Omit<LetterSource, "secret">,
): Promise<Result<MarketingLetter | null>> {
  const { sourceId, workspaceId, kind } = mailing;
  const { options = PLAIN_LETTER, campaign: _, ...frame } = content;
  const template = {
    ...frame,
    ...parts,
    utm: options.utm,
    baseUrl,
    workspaceId,
    feedbackId: feedbackId(sourceId, workspaceId, kind),
  };
  const written = await work.run(workspaceId, "marketing", template);
  if (!written.ok) return written;
  return accept(written.value && readyMarketing(template, written.value));
}

/**
 * The recipient of a message, with the tokens of their links and the Message-ID: the same at every attempt.
 */
export function recipientOf(
  secret: Uint8Array,
  { from }: Pick<MailingContent, "from">,
  message: Pick<OwedMessage, "number" | "address" | "unsubscribeMailbox">,
  date: Instant,
): Recipient {
  const tokens = tokensOf(secret, message.number);
  const messageId = `${tokens.messageId}@${domainOf(from.address)}`;
  const { address, unsubscribeMailbox = null } = message;
  return { address, messageId, date, tokens, unsubscribeMailbox };
}
