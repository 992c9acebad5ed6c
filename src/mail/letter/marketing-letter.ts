/**
 * The compiler of marketing mail: campaigns and automations (kind C of the mail format).
 *
 *   writeMarketing: once for a mailing, in a thread      readyMarketing: once, then `compose` for each message
 *     values marked (marketing-page.ts)                    without values: tokens are written into a copy of
 *     links, footer, text part (marketing-page.ts)           the message's bytes (byte-template.ts)
 *     parts encoded (letter-part.ts)                       with values: the lines that hold them are encoded,
 *                                                            and all is joined
 */
import { createHash } from "node:crypto";
import { present } from "#core/present.ts";
import { accept, invalid, type Refusal, type Result } from "#core/errors.ts";
import { unescapeHtml } from "#core/html-escape.ts";
import { trimAsBrowsersDo } from "#mail/html/links.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { byteTemplate, type FillTemplate } from "#mail/mime/byte-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { pixelPadding } from "./footer.ts";
import {
  closedPart,
  closedPieces,
  hasOwnSlot,
  openPart,
  partIn,
  type Line,
  type WrittenPart,
} from "./letter-part.ts";
import { textProblem } from "./letter-limits.ts";
import {
  frameProblem,
  recipientHeaders,
  recipientProblem,
  staticHeaders,
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
import { TOKEN_NAMES, type Tokens } from "./recipient-tokens.ts";
import { FIRST_VALUE, joinSegments, PADDING, segmentsOf, type Segment } from "./slots.ts";
import { filledLine, valueAsText } from "./value-text.ts";

/** Both parts, encoded as far as they are the same for all messages. */
type Encoded = {
  readonly boundary: string;
  readonly standIns: Tokens;
  readonly text: WrittenPart;
  readonly html: WrittenPart;
  /** The HTML before it was encoded, where its padding depends on the values. */
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
 * with a value stay.
 */
export function writeMarketing(template: MarketingTemplate): WrittenMarketing | null {
  const authored = markValues(template);
  if (authored === null) return null;
  const { html, text, links, standIns } = compilePage(template, authored);
  const tooLong = textProblem(text);
  if (tooLong !== null && authored.hasValues) return null;
  const part = authored.hasValues ? openPart : closedPart;
  const encoded = {
    boundary: boundaryOf(template, authored.html),
    standIns,
    text: part("text/plain", text, standIns),
    html: part("text/html", html, standIns),
    page: authored.hasValues ? segmentsOf(html) : [],
  };
  return {
    ...encoded,
    links: links.map((link) => (authored.hasValues ? segmentsOf(link) : [link])),
    refusal: refusalOf(template, encoded, tooLong),
  };
}

/** Makes the messages from what `writeMarketing` wrote for the same template. */
export function readyMarketing(template: MarketingTemplate, written: WrittenMarketing): MarketingLetter {
  const { refusal } = written;
  const links = (values: readonly string[]): string[] =>
    written.links.map((link) =>
      trimAsBrowsersDo(joinSegments(link, (slot) => asAttribute(valueIn(values, slot)))),
    );
  if (refusal !== null) return { links, compose: () => ({ ok: false, refusal }) };
  const write = writerOf(template, written);
  return {
    links,
    compose(recipient, words) {
      const unfit = recipientProblem(recipient);
      return unfit === null ? write(recipient, words) : invalid(unfit);
    },
  };
}

type Composed = Result<FinishedMessage>;
type Write = (recipient: Recipient, words?: Words) => Composed;

function writerOf(template: MarketingTemplate, written: WrittenMarketing): Write {
  const fill = fillOf(template, written);
  if (fill === null) return messageByMessage(template, written);
  return (recipient) => accept(fill(headOf(template, recipient), recipient.tokens));
}

/**
 * Where all messages have the same words: a copy of the bytes they share, and the recipient's own written
 * into it. Null where they have not.
 *
 * Every such message satisfies `checkMessage`, although that check runs only once, on a specimen
 * (`refusalOf`). A recipient's values are used only after `recipientProblem` found that they have the
 * specimen's shape: tokens of the same length and alphabet; address, Message-ID and date of limited length,
 * without a character that could end a line or a field. Nothing else differs.
 */
function fillOf(template: MarketingTemplate, written: Encoded): FillTemplate | null {
  const { subject } = template;
  const [text, html] = [closedPieces(written.text), closedPieces(written.html)];
  if (subject === null || text === null || html === null) return null;
  const header = staticHeaders(template, subject, written.boundary);
  return byteTemplate([header, ...assembled(written, text, html).flat()], written.standIns);
}

/** Where each message has words of its own: its open lines are encoded, and the whole is checked. */
function messageByMessage(template: MarketingTemplate, written: Encoded): Write {
  const { boundary, page } = written;
  return (recipient, { subject: own, values } = NO_WORDS) => {
    const subject = template.subject ?? own;
    const problem = subjectProblem(subject);
    if (problem !== null) return invalid(problem);
    const { tokens } = recipient;
    const valueAt = (slot: number) => tokenOf(tokens, slot) ?? values[slot - FIRST_VALUE] ?? "";
    const inHtml = (line: Line): string =>
      joinSegments(line, (slot) =>
        slot === PADDING ? pixelPadding(joinSegments(page, valueAt)) : valueAt(slot),
      );
    const inText = (line: Line): string => {
      const filled = joinSegments(
        line,
        (slot) => tokenOf(tokens, slot) ?? valueAsText(valueIn(values, slot)),
      );
      return hasOwnSlot(line) ? filledLine(filled) : filled;
    };
    const [text, html] = [partIn(written.text, tokens, inText), partIn(written.html, tokens, inHtml)];
    const header = headOf(template, recipient) + staticHeaders(template, subject, boundary);
    const checked = checkMessage(header + assembled(written, text, html).join(""), recipient.address);
    return checked.ok ? accept({ bytes: checked.value }) : checked;
  };
}

const NO_WORDS: Words = { subject: "", values: [] };

/** The header fields of the recipient's own. */
const headOf = ({ baseUrl }: MarketingFrame, recipient: Recipient): string =>
  recipientHeaders(recipient, `${baseUrl}/u/${recipient.tokens.unsubscribe}`);

/** What follows the header fields: both parts between their boundaries. */
const assembled = <Body>({ boundary, ...parts }: Encoded, text: Body, html: Body): (string | Body)[] => [
  `\r\n--${boundary}\r\n${parts.text.header}`,
  text,
  `\r\n--${boundary}\r\n${parts.html.header}`,
  html,
  `\r\n--${boundary}--\r\n`,
];

/** Why no message of the mailing can be sent. */
function refusalOf(template: MarketingTemplate, written: Encoded, tooLong: string | null): Refusal | null {
  const { subject } = template;
  const wrong = subject === null ? null : subjectProblem(subject);
  const problem = wrong ?? frameProblem(template) ?? tooLong;
  if (problem !== null) return invalid(problem).refusal;
  const fill = fillOf(template, written);
  if (fill === null) return null;
  const address = "specimen@example.com";
  const specimen = { address, messageId: address, date: 0, tokens: written.standIns };
  const checked = checkMessage(fill(headOf(template, specimen), specimen.tokens).bytes, address);
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
 * Neither quoted-printable nor base64 can contain `=_`, so no part can contain this boundary (RFC 2045, 6.7,
 * note).
 */
function boundaryOf({ feedbackId, subject }: MarketingTemplate, authored: string): string {
  const digest = createHash("sha256")
    .update(`${feedbackId} ${subject ?? ""} ${authored}`)
    .digest("hex");
  return `=_${digest.slice(0, 32)}`;
}
