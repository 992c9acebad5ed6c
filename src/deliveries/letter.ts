import { domainOf } from "#core/email-address.ts";
import type { Instant } from "#core/clock.ts";
import type { Result } from "#core/errors.ts";
import { feedbackId } from "#mail/letter/feedback-id.ts";
import { readyMarketing, type MarketingSource, type Recipient } from "#mail/letter/marketing-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { Work } from "#work/pool.ts";
import type { MailingContent, OwedMessage } from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";
import type { LedgerStore, MailingUnderWay } from "./store.ts";
import { tokensOf } from "./token.ts";

/**
 * A letter, ready for its recipients. A fault of the letter itself is a refusal, and the message fails. An
 * exception (the links cannot be written now) is no fault of the letter: the message stays owed and is tried
 * again.
 */
export type Letter = {
  readonly envelopeSender: string;
  /**
   * Each message needs a thread for some time. So only one at a time gets a connection; otherwise they would
   * keep all connections from the others.
   */
  readonly isSlow?: boolean;
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

/** The letters of campaigns. The addresses of their links are recorded before anything is sent. */
export const campaignLetters =
  (ledger: Pick<LedgerStore, "content" | "saveLinks">, source: LetterSource): LetterOf =>
  async (mailing) => {
    const letter = await marketingLetter(mailing, await ledger.content(mailing.number), source);
    await ledger.saveLinks(mailing.number, letter.links);
    return letter;
  };

/**
 * The compiled letter of a campaign or automation. Each message adds the recipient, the tokens of their links
 * and the Message-ID, which is the same at every attempt. Bounces go to the sender's own address. HTML that
 * cannot be compiled fails message by message, like any other letter that cannot be composed. @throws
 * WorkLate
 */
export async function marketingLetter(
  mailing: MailingUnderWay,
  content: MailingContent,
  { secret, baseUrl, work }: LetterSource,
): Promise<Letter & { readonly links: readonly string[] }> {
  const { html, subject, from } = content;
  const source = { ...sourceOf(mailing, content, baseUrl), html, subject };
  const written = await work.run(mailing.workspaceId, "marketing", source);
  if (!written.ok) {
    return { links: [], envelopeSender: from.address, compose: () => written };
  }
  const compiled = readyMarketing(source, written.value);
  return {
    links: compiled.links,
    envelopeSender: from.address,
    compose: (message, date) => compiled.compose(recipientOf(secret, content, message, date)),
  };
}

/** What the messages of a mailing share, whatever their templates made of subject and HTML. */
export const sourceOf = (
  mailing: MailingUnderWay,
  content: Omit<MailingContent, "html" | "subject">,
  baseUrl: string,
): Omit<MarketingSource, "html" | "subject"> => ({
  ...content,
  baseUrl,
  workspaceId: mailing.workspaceId,
  feedbackId: feedbackId(mailing.sourceId, mailing.workspaceId, mailing.kind),
});

/**
 * The recipient of a message, with the tokens of their links and the Message-ID: the same at every attempt.
 */
export function recipientOf(
  secret: Uint8Array,
  { from }: Pick<MailingContent, "from">,
  message: OwedMessage,
  date: Instant,
): Recipient {
  const tokens = tokensOf(secret, message.number);
  const messageId = `${tokens.messageId}@${domainOf(from.address)}`;
  return { address: message.address, messageId, date, tokens };
}
