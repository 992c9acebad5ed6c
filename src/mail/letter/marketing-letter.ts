/**
 * The compiler of marketing mail: campaigns and automations (kind C of the mail format).
 *
 *   writeMarketing: once for a mailing, in a thread      readyMarketing: once, then `compose` for each message
 *     values marked (marketing-page.ts)                    tokens and encoded values are written into a copy
 *     links, footer, text part (marketing-page.ts)         of the bytes that all messages share
 *     parts encoded (letter-part.ts)                       (byte-template.ts)
 */
import { createHash } from "node:crypto";
import { present } from "#core/present.ts";
import { accept, invalid, type Refusal, type Result } from "#core/errors.ts";
import { unescapeHtml } from "#core/html-escape.ts";
import { trimAsBrowsersDo } from "#mail/html/links.ts";
import { withUtm } from "#mail/html/utm.ts";
import { areFolded, checkMessage } from "#mail/mime/byte-check.ts";
import { byteTemplate, OWN_TEXT, type FillTemplate } from "#mail/mime/byte-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { pixelPadding } from "./footer.ts";
import {
  closedPart,
  hasOwnSlot,
  isOpen,
  openPart,
  openText,
  wrappedPart,
  type Line,
  type Open,
  type WrittenPart,
} from "./letter-part.ts";
import { textProblem } from "./letter-limits.ts";
import {
  frameProblem,
  mailingHeaders,
  recipientHeaders,
  recipientProblem,
  subjectField,
  subjectProblem,
} from "./marketing-headers.ts";
import type {
  MarketingFrame,
  MarketingLetter,
  MarketingTemplate,
  Recipient,
  Words,
} from "./marketing-mail.ts";
import { compilePage, markValues } from "./marketing-page.ts";
import { unsubscribeUrl } from "./reader-links.ts";
import { TOKEN_NAMES, type Tokens } from "./recipient-tokens.ts";
import { FIRST_VALUE, joinSegments, PADDING, segmentsOf, type Segment } from "./slots.ts";
import { filledLine, valueAsText } from "./value-text.ts";

/** Both parts, encoded as far as they are the same for all messages. */
type Encoded = {
  readonly boundary: string;
  readonly standIns: Tokens;
  readonly text: WrittenPart;
  readonly html: WrittenPart;
  /** The HTML before it was encoded, where its padding depends on the values; else empty. */
  readonly page: readonly Segment[];
};

/** The result of all slow work on a mailing, as plain data. */
export type WrittenMarketing = Encoded & {
  readonly links: readonly (readonly Segment[])[];
  /** Why no message of this mailing can be sent. */
  readonly refusal: Refusal | null;
};

/**
 * Does everything that is the same for all messages: rewrites links, makes footer and text part, and encodes.
 *
 * Null where the values decide how the document is read, or make the text part too long: then each message
 * must be compiled on its own, with its values as static text. A mailing without values is never null.
 *
 * Each message has, byte for byte, the HTML that it would have if it were compiled on its own, and the same
 * links; only two links that become equal by their values keep two numbers. The text part may differ: lines
 * may wrap at other places, a link may have one more space behind it, and characters without width that came
 * with a value stay, and so do numbers for addresses where a value looks like one.
 */
export function writeMarketing(template: MarketingTemplate): WrittenMarketing | null {
  const authored = markValues(template);
  if (authored === null) return null;
  const { hasValues, standIns } = authored;
  const { html, text, links } = compilePage(template, authored);
  const tooLong = textProblem(text);
  if (tooLong !== null && hasValues) return null;
  const inText = authored.text === null ? wrappedPart : openPart;
  const page = hasValues ? segmentsOf(html) : [];
  const encoded = {
    boundary: boundaryOf(template, html, text),
    standIns,
    text: (hasValues ? inText : closedPart)("text/plain", text, standIns),
    html: (hasValues ? openPart : closedPart)("text/html", html, standIns),
    page: page.includes(PADDING) ? page : [],
  };
  return {
    ...encoded,
    links: links.map((link) => (hasValues ? segmentsOf(link) : [link])),
    refusal: refusalOf(template, encoded, tooLong),
  };
}

/** Makes the messages from what `writeMarketing` wrote for the same template. */
export function readyMarketing(template: MarketingTemplate, written: WrittenMarketing): MarketingLetter {
  const { refusal } = written;
  const { utm } = template;
  const target = (link: readonly Segment[], values: readonly string[]): string => {
    const address = trimAsBrowsersDo(joinSegments(link, (slot) => asAttribute(valueIn(values, slot))));
    return utm ? withUtm(address, utm) : address;
  };
  const personalLinks = written.links.map((link) => link.some((segment) => typeof segment === "number"));
  const shared = personalLinks.includes(true) ? null : written.links.map((link) => target(link, []));
  const links = (values: readonly string[]): readonly string[] =>
    shared ?? written.links.map((link) => target(link, values));
  if (refusal !== null) return { links, personalLinks, compose: () => ({ ok: false, refusal }) };
  const write = writerOf(template, written);
  return {
    links,
    personalLinks,
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
 * specimen's shape: tokens of the same length and alphabet; address, Message-ID and date of limited length,
 * without a character that could end a line or a field. A message's own subject is checked each time.
 * Values go through the encoders of the parts, whose output is ASCII in short lines whatever they are given.
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

/** The bytes that all messages share, and the places that are encoded for each. */
function templateOf(
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
    const fillLine = (line: Line): string =>
      hasOwnSlot(line) ? filledLine(line, inText) : joinSegments(line, inText);
    return opens.map((open) => openText(open, valueAt, fillLine));
  };
}

const NO_WORDS: Words = { subject: "", values: [] };

/** The header fields of the recipient's own. */
const headOf = ({ baseUrl }: MarketingFrame, recipient: Recipient): string =>
  recipientHeaders(recipient, unsubscribeUrl(baseUrl, recipient.tokens.unsubscribe));

/** Why no message of the mailing can be sent. */
function refusalOf(template: MarketingTemplate, written: Encoded, tooLong: string | null): Refusal | null {
  const { subject } = template;
  const wrong = subject === null ? null : subjectProblem(subject);
  const problem = wrong ?? frameProblem(template) ?? tooLong;
  if (problem !== null) return invalid(problem).refusal;
  const { fill, opens } = templateOf(template, written);
  const address = "specimen@example.com";
  const specimen = { address, messageId: address, date: 0, tokens: written.standIns };
  const own = subject === null ? mailingHeaders(template, written.boundary)(subjectField("specimen")) : "";
  const empty = opens.map(() => "");
  const checked = checkMessage(fill(headOf(template, specimen) + own, specimen.tokens, empty).bytes, address);
  return checked.ok ? null : checked.refusal;
}

/** A value as a parser reads it in an attribute. */
const asAttribute = (value: string): string => unescapeHtml(value).replaceAll("\0", "\uFFFD");

const valueIn = (values: readonly string[], slot: number): string =>
  present(values[slot - FIRST_VALUE], "value for a slot");

/** Null where the slot belongs to a value. */
const tokenOf = (tokens: Tokens, slot: number): string | null => {
  const name = TOKEN_NAMES[slot];
  return name === undefined ? null : tokens[name];
};

/**
 * No part can contain this boundary. Neither quoted-printable nor base64 can contain `=_` (RFC 2045, 6.7, note), and
 * parts with values are always one of them. A part that is sent as it is would have to contain a digest of itself.
 */
function boundaryOf({ feedbackId, subject }: MarketingTemplate, html: string, text: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([feedbackId, subject, html, text]))
    .digest("hex");
  return `=_${digest.slice(0, 32)}`;
}
