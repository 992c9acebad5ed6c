import type { Instant } from "#core/time/clock.ts";
import { unescapeHtml } from "#core/text/html-escape.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { MailingContent, OwedMessage } from "#deliveries/ledger.ts";
import {
  authoredOf,
  compileLetter,
  recipientOf,
  wholeParts,
  type Composed,
  type LetterSource,
  type WholeParts,
} from "#deliveries/letter.ts";
import type { MailingOrigin } from "#deliveries/store.ts";
import { tokensOf } from "#deliveries/token.ts";
import { mjmlJob } from "#mail/letter/letter-options.ts";
import type { LiquidScope } from "#mail/liquid/liquid.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { bytesOf } from "#mail/mime/ascii.ts";
import { campaignScope, readerUrls, type LetterValues } from "./letter-values.ts";
import { wholeOf } from "./personal-letter.ts";

/** A letter as one person gets it. The parts are read from the message itself. */
export type ShownLetter = {
  readonly message: FinishedMessage;
  readonly subject: string;
  /** `""` if there is none. */
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
  /** The size of the whole message. */
  readonly sizeBytes: number;
};

/**
 * Whom the letter is for. The tokens of its links are made from `number`. 0 is no message of the ledger, so those
 * links lead nowhere and count nothing.
 */
export type Addressee = Pick<OwedMessage, "number" | "address"> & {
  readonly person: LetterValues;
  /** What the templates may use; missing: the same as a campaign's. */
  readonly scope?: LiquidScope;
};

/** A letter that is made for one person and can be sent to any address: a test. */
export type TestLetter = {
  /** `""` if there is none. */
  readonly preheader: string;
  /** The Message-ID is made from `number`, the number of a message of the ledger. */
  compose(message: Pick<OwedMessage, "number" | "address">, date: Instant): Composed;
};

/**
 * Makes a letter for one person, as a send would. `number` gives the tokens of its links, see
 * `Addressee`. All slow work is done in a thread. A refusal says why it cannot be sent. @throws WorkLate
 */
export async function testLetter(
  source: LetterSource,
  mailing: MailingOrigin,
  content: MailingContent,
  addressee: Omit<Addressee, "address">,
  now: Instant,
): Promise<Result<TestLetter>> {
  const { number } = addressee;
  const made = await partsFor(source, mailing.workspaceId, content, addressee, now);
  if (!made.ok) return made;
  const compiled = await compileLetter(mailing, content, made.value, source);
  if (!compiled.ok) return compiled;
  const letter = present(compiled.value, "letter without values");
  const tokens = tokensOf(source.secret, number);
  return accept({
    preheader: unescapeHtml((made.value.preheader ?? []).join("")),
    // No opt-out by mail: that address would belong to the test message itself.
    compose: ({ number: ledgerNumber, address }, date) =>
      letter.compose({
        ...recipientOf(source.secret, content, { number: ledgerNumber, address }, date),
        tokens,
      }),
  });
}

/**
 * The test letter for one person, read back from its own bytes, as a mail program would show it. All slow work is done
 * in a thread. A refusal says why it cannot be sent. @throws WorkLate
 */
export async function shownLetter(
  source: LetterSource,
  mailing: MailingOrigin,
  content: MailingContent,
  addressee: Addressee,
  date: Instant,
): Promise<Result<ShownLetter>> {
  const letter = await testLetter(source, mailing, content, addressee, date);
  if (!letter.ok) return letter;
  const composed = letter.value.compose(addressee, date);
  if (!composed.ok) return composed;
  const bytes = bytesOf(composed.value.bytes);
  const shown = await source.work.run(mailing.workspaceId, "messageTexts", bytes);
  if (!shown.ok) return shown;
  const { preheader } = letter.value;
  return accept({ message: { bytes }, ...shown.value, preheader, sizeBytes: bytes.length });
}

async function partsFor(
  { work, secret, baseUrl }: LetterSource,
  workspaceId: string,
  content: MailingContent,
  { number, person, scope: given }: Omit<Addressee, "address">,
  now: Instant,
): Promise<Result<WholeParts>> {
  const { options, html } = content;
  const page =
    options?.format === "mjml" ? await work.run(workspaceId, mjmlJob(options), html) : accept(html);
  if (!page.ok) return page;
  const letter = { ...authoredOf(content), html: page.value };
  if (options?.personalize !== true) return accept(wholeParts(letter));
  const urls = readerUrls(baseUrl, tokensOf(secret, number).unsubscribe);
  const scope = given ?? campaignScope(person, content.campaign?.name ?? "", urls);
  const filled = await work.run(workspaceId, "fill", { letter, scope, moment: { now, seed: number } });
  return filled.ok ? accept(wholeOf(filled.value)) : filled;
}
