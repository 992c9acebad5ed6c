/** The second half of the compiler of marketing mail (marketing-letter.ts): one message for each recipient. */
import { present } from "#core/present.ts";
import { accept, invalid, type Refusal, type Result } from "#core/errors/errors.ts";
import { unescapeHtml } from "#core/text/html-escape.ts";
import { trimAsBrowsersDo } from "#mail/html/address-blanks.ts";
import { withUtm } from "#mail/html/utm.ts";
import { areFolded } from "#mail/mime/byte-check.ts";
import { byteTemplate, OWN_TEXT, type FillTemplate } from "#mail/mime/byte-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { pixelPadding } from "./footer.ts";
import {
  hasOwnSlot,
  isOpen,
  openCharacters,
  openText,
  type Line,
  type Open,
  type WrittenPart,
} from "#mail/letter/letter-part.ts";
import { mailingHeaders, recipientHeaders, recipientProblem, subjectField } from "./marketing-headers.ts";
import type {
  MarketingFrame,
  MarketingLetter,
  MarketingTemplate,
  Recipient,
  Words,
} from "./marketing-mail.ts";
import { unsubscribeUrl } from "./reader-links.ts";
import { TOKEN_NAMES, type Tokens } from "#mail/letter/slots/recipient-tokens.ts";
import { FIRST_VALUE, joinSegments, PADDING, type Segment } from "#mail/letter/slots/slots.ts";
import { filledLine, valueAsText, valueInAddress } from "#mail/letter/slots/value-text.ts";
import { subjectProblem } from "#mail/letter/slots/wire-problems.ts";

/** Both parts, encoded as far as they are the same for all messages. */
export type Encoded = {
  readonly boundary: string;
  readonly standIns: Tokens;
  readonly text: WrittenPart;
  readonly html: WrittenPart;
  /** The HTML before it was encoded, if its padding depends on the values; otherwise empty. */
  readonly page: readonly Segment[];
};

/** The result of all slow work on a mailing, as plain data. */
export type WrittenMarketing = Encoded & {
  readonly links: readonly (readonly Segment[])[];
  /** Why no message of this mailing can be sent. */
  readonly refusal: Refusal | null;
};

/** Makes the messages from what `writeMarketing` wrote for the same template. */
export function readyMarketing(template: MarketingTemplate, written: WrittenMarketing): MarketingLetter {
  const { refusal } = written;
  const { utm } = template;
  const target = (link: readonly Segment[], values: readonly string[]): string => {
    const address = trimAsBrowsersDo(joinSegments(link, (slot) => asAttribute(valueIn(values, slot))));
    return utm ? withUtm(address, utm) : address;
  };
  const personalLinks = written.links.map((link) => link.some((segment) => typeof segment === "number"));
  /** What is the same in all messages is worked out once. */
  const shared = written.links.map((link, index) => (personalLinks[index] ? null : target(link, [])));
  const isPersonal = personalLinks.includes(true);
  const sharedByAll = isPersonal ? null : shared.map((address) => address ?? "");
  const links = (values: readonly string[]): readonly string[] =>
    sharedByAll ?? written.links.map((link, index) => shared[index] ?? target(link, values));
  const open = openCharacters(written.text) + openCharacters(written.html);
  const known = { links, personalLinks, openCharacters: open };
  if (refusal !== null) return { ...known, compose: () => ({ ok: false, refusal }) };
  const write = writerOf(template, written);
  return {
    ...known,
    compose(recipient, words) {
      const unfit = recipientProblem(recipient);
      return unfit === null ? write(recipient, words) : invalid(unfit);
    },
  };
}

type Write = (recipient: Recipient, words?: Words) => Result<FinishedMessage>;

/**
 * Every message satisfies `checkMessage`, although that check runs on the whole message only once, on a specimen
 * (`refusalOf`). A recipient's own fields are used only after `recipientProblem` found that they have the
 * specimen's shape: tokens of the same length and alphabet; address, Message-ID and date of limited length, without
 * a character that could end a line or a field. A message's own subject is checked each time. Values go through the
 * encoders of the parts, whose output is always ASCII in short lines.
 */
function writerOf(template: MarketingTemplate, written: Encoded): Write {
  const { subject } = template;
  const { fill, opens } = templateOf(template, written);
  const textsOf = ownTexts(written, opens);
  const headers = mailingHeaders(template, written.boundary);
  if (subject !== null)
    return (recipient, words) =>
      accept(fill(headOf(template, recipient), recipient.tokens, textsOf(recipient.tokens, words)));
  return (recipient, words = NO_WORDS) => {
    const problem = subjectProblem(words.subject);
    if (problem !== null) return invalid(problem);
    const field = subjectField(words.subject);
    if (!areFolded(field)) return invalid("The subject cannot be written into a header.");
    const head = headOf(template, recipient) + headers(field);
    return accept(fill(head, recipient.tokens, textsOf(recipient.tokens, words)));
  };
}

/** The bytes that all messages share, and the places that are encoded for each message. */
export function templateOf(
  template: MarketingTemplate,
  written: Encoded,
): { readonly fill: FillTemplate; readonly opens: readonly Open[] } {
  const { subject } = template;
  const { boundary, text, html, standIns } = written;
  const shared = subject === null ? "" : mailingHeaders(template, boundary)(subjectField(subject));
  const pieces = [
    `${shared}\r\n--${boundary}\r\n${text.header}`,
    ...text.pieces,
    `\r\n--${boundary}\r\n${html.header}`,
    ...html.pieces,
    `\r\n--${boundary}--\r\n`,
  ];
  const places = pieces.map((piece) => (isOpen(piece) ? OWN_TEXT : piece));
  return { fill: byteTemplate(places, standIns), opens: pieces.filter(isOpen) };
}

/** The texts of one message, encoded, in the order of their places. */
function ownTexts(
  { page }: Encoded,
  opens: readonly Open[],
): (tokens: Tokens, words?: Words) => readonly string[] {
  return (tokens, { values } = NO_WORDS) => {
    if (opens.length === 0) return [];
    const inPage = (slot: number) => tokenOf(tokens, slot) ?? values[slot - FIRST_VALUE] ?? "";
    const valueAt = (slot: number) =>
      slot === PADDING ? pixelPadding(joinSegments(page, inPage)) : inPage(slot);
    const inText = (slot: number) => tokenOf(tokens, slot) ?? valueAsText(valueIn(values, slot));
    const inAddress = (slot: number) => tokenOf(tokens, slot) ?? valueInAddress(valueIn(values, slot));
    const fillLine = (line: Line): string =>
      hasOwnSlot(line) ? filledLine(line, { inText, inAddress }) : joinSegments(line, inText);
    return opens.map((open) => openText(open, valueAt, fillLine));
  };
}

const NO_WORDS: Words = { subject: "", values: [] };

/** The header fields that belong to the recipient. */
export const headOf = ({ baseUrl }: MarketingFrame, recipient: Recipient): string =>
  recipientHeaders(recipient, unsubscribeUrl(baseUrl, recipient.tokens.unsubscribe));

/** A value as a parser reads it in an attribute. */
const asAttribute = (value: string): string => unescapeHtml(value).replaceAll("\0", "\uFFFD");

const valueIn = (values: readonly string[], slot: number): string =>
  present(values[slot - FIRST_VALUE], "value for a slot");

/** Null if the slot belongs to a value. */
const tokenOf = (tokens: Tokens, slot: number): string | null => {
  const name = TOKEN_NAMES[slot];
  return name === undefined ? null : tokens[name];
};
