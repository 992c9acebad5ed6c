/**
 * The compiler of marketing mail: campaigns and automations (kind C of the mail format). Its second half is in
 * marketing-message.ts: the server needs that for each message, and this half, with all the code for HTML, only
 * once for a mailing.
 *
 *   writeMarketing: once for a mailing, in a thread      readyMarketing: once, then `compose` for each message
 *     values marked (marketing-page.ts)                    tokens and encoded values are written into a copy
 *     links, footer, text part (marketing-page.ts)         of the bytes that all messages share
 *     parts encoded (letter-part.ts)                       (byte-template.ts)
 */
import { createHash } from "node:crypto";
import { invalid, type Refusal } from "#core/errors/errors.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { closedPart, openPart, wrappedPart } from "#mail/letter/letter-part.ts";
import { textProblem } from "#mail/letter/letter-limits.ts";
import { subjectProblem } from "#mail/letter/slots/wire-problems.ts";
import { frameProblem, mailingHeaders, subjectField } from "./marketing-headers.ts";
import type { MarketingTemplate } from "./marketing-mail.ts";
import { headOf, templateOf, type Encoded, type WrittenMarketing } from "./marketing-message.ts";
import { compilePage, markValues } from "./marketing-page.ts";
import { PADDING, segmentsOf } from "#mail/letter/slots/slots.ts";

/**
 * Does everything that is the same for all messages: rewrites links, makes footer and text part, and encodes.
 *
 * Null if the values affect how the document is parsed, or make the text part too long: then each message must be
 * compiled on its own, with its values as static text. A mailing without values is never null.
 *
 * Each message has, byte for byte, the same HTML and links as if it were compiled on its own; only two links that
 * become equal by their values keep two numbers. The text part may differ: lines may wrap at other places, and a link
 * may have one more space after it. Characters without width that came with a value stay. So do the numbers that stand
 * for addresses, if a value looks like one.
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

/** Why no message of the mailing can be sent. */
function refusalOf(template: MarketingTemplate, written: Encoded, tooLong: string | null): Refusal | null {
  const { subject } = template;
  const wrong = subject === null ? null : subjectProblem(subject);
  const problem = wrong ?? frameProblem(template) ?? tooLong;
  if (problem !== null) return invalid(problem).refusal;
  const { fill, opens } = templateOf(template, written);
  const address = "specimen@example.com";
  const tokens = written.standIns;
  const specimen = { address, messageId: address, date: 0, tokens, unsubscribeMailbox: null };
  const own = subject === null ? mailingHeaders(template, written.boundary)(subjectField("specimen")) : "";
  const empty = opens.map(() => "");
  const checked = checkMessage(fill(headOf(template, specimen) + own, tokens, empty).bytes, address);
  return checked.ok ? null : checked.refusal;
}

/**
 * No part can contain this boundary. Neither quoted-printable nor base64 can contain `=_` (RFC 2045, 6.7, note),
 * and parts with values always are one of them. An unencoded part would have to contain a digest of itself.
 */
function boundaryOf({ feedbackId, subject }: MarketingTemplate, html: string, text: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([feedbackId, subject, html, text]))
    .digest("hex");
  return `=_${digest.slice(0, 32)}`;
}
