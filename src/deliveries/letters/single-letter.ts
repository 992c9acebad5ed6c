import PostalMime from "postal-mime";
import type { Instant } from "#core/clock.ts";
import { unescapeHtml } from "#core/html-escape.ts";
import { accept, type Result } from "#core/errors.ts";
import type { MailingContent, OwedMessage } from "#deliveries/ledger.ts";
import {
  authoredOf,
  sameForAll,
  wholeParts,
  type LetterSource,
  type WholeParts,
} from "#deliveries/letter.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { tokensOf } from "#deliveries/token.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { bytesOf } from "#mail/mime/ascii.ts";
import { campaignScope, readerUrls, type LetterPerson } from "./letter-person.ts";
import { wholeOf } from "./personal-letter.ts";

/** A campaign's letter as one person gets it. The parts are read from the message itself. */
export type SingleLetter = {
  readonly message: FinishedMessage;
  readonly subject: string;
  /** `""`: none. */
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
  /** Of the whole message, in bytes. */
  readonly sizeBytes: number;
};

/**
 * Whom it is for. `number` gives the tokens of its links; 0 is no message of the ledger, so with it they lead
 * nowhere and count nothing.
 */
export type Addressee = Pick<OwedMessage, "number" | "address"> & { readonly person: LetterPerson };

/**
 * Makes a campaign's letter for one person, as a send would. All slow work is done in a thread. A refusal says
 * why it cannot be sent. @throws WorkLate
 */
export async function singleLetter(
  source: LetterSource,
  mailing: Omit<MailingUnderWay, "number">,
  content: MailingContent,
  { number, address, person }: Addressee,
  date: Instant,
): Promise<Result<SingleLetter>> {
  const made = await partsFor(source, mailing.workspaceId, content, { number, address, person }, date);
  if (!made.ok) return made;
  const letter = await sameForAll({ ...mailing, number: 0 }, content, made.value, source);
  const owed = { number, address, attempts: 0, firstAttemptAt: null, checkedAt: null };
  const composed = await letter.compose(owed, date);
  if (!composed.ok) return composed;
  const bytes = bytesOf(composed.value.bytes);
  const { subject = "", html = "", text = "" } = await PostalMime.parse(bytes);
  const preheader = unescapeHtml((made.value.preheader ?? []).join(""));
  return accept({ message: { bytes }, subject, preheader, html, text, sizeBytes: bytes.length });
}

async function partsFor(
  { work, secret, baseUrl }: LetterSource,
  workspaceId: string,
  content: MailingContent,
  { number, person }: Addressee,
  now: Instant,
): Promise<Result<WholeParts>> {
  const { options, html } = content;
  const page = options?.format === "mjml" ? await work.run(workspaceId, "mjml", html) : accept(html);
  if (!page.ok) return page;
  const letter = { ...authoredOf(content), html: page.value };
  if (options?.personalize !== true) return accept(wholeParts(letter));
  const urls = readerUrls(baseUrl, tokensOf(secret, number).unsubscribe);
  const scope = campaignScope(person, content.campaign?.name ?? "", urls);
  const filled = await work.run(workspaceId, "fill", { letter, scope, moment: { now, seed: number } });
  return filled.ok ? accept(wholeOf(filled.value)) : filled;
}
