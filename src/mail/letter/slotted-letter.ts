import { present } from "#core/present.ts";
import { createHash } from "node:crypto";
import { accept, invalid, type Result } from "#core/errors.ts";
import { unescapeHtml } from "#core/html-escape.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { withFooter } from "./with-footer.ts";
import { footerText, pixelPadding } from "./footer.ts";
import { trackLinks, trimAsBrowsersDo } from "#mail/html/links.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import { recipientHeaders, recipientProblem, sourceProblem, staticHeaders } from "./marketing-headers.ts";
import type { MarketingSource, Recipient } from "./marketing-mail.ts";
import { areSlotsSafe } from "./slot-safety.ts";
import { isFreeOfMarks, joinSegments, segmentsOf, SLOTS_MAX, slotMark, type Segment } from "./slots.ts";
import { slottedPart, writePart, type WrittenPart } from "./slotted-part.ts";
import { filledLine, valueAsText } from "./slotted-text.ts";
import { textProblem } from "./letter-limits.ts";
import { textAlternative } from "#mail/html/text-alternative.ts";
import { TOKEN_LENGTH, TOKEN_NAMES, type TokenName, type Tokens } from "./recipient-tokens.ts";

/** What all messages of a mailing share when their templates wrote the same text around their values. */
export type SlottedSource = Omit<MarketingSource, "html" | "subject">;

export type SlottedLetter = {
  /** The addresses that `/c/<click token>/<index>` leads to, in the message with these values. */
  links(values: readonly string[]): string[];
  /**
   * One message, from its own subject, its values (in the order of `pieces`) and its recipient. It ends as
   * `CompiledMarketing.compose` does.
   */
  compose(subject: string, values: readonly string[], recipient: Recipient): Result<FinishedMessage>;
};

/**
 * The order of the slots: the recipient's tokens, then the padding that makes a short page long enough for
 * its pixel, then the values.
 */
const PADDING = TOKEN_NAMES.length;
const FIRST_VALUE = PADDING + 1;

/** The result of all slow work on such a letter, as plain data. */
export type WrittenSlotted = {
  /** The HTML before it is encoded. */
  readonly page: readonly Segment[];
  readonly html: WrittenPart;
  readonly text: WrittenPart;
  readonly links: readonly (readonly Segment[])[];
  readonly boundary: string;
};

/**
 * A marketing mail (`marketing-template.ts`) whose HTML was made by a template. Links, footer and text part
 * are made once, from the text that all messages share. So each message only costs putting in its values, and
 * encoding the lines that hold them. `pieces` may come from any of the messages.
 *
 * Each message has, byte for byte, the HTML that `writeMarketing` would make, and the same links; only two
 * links that become equal by their values keep two numbers. The text part may differ: lines may wrap at other
 * places, a link may have one more space behind it, and characters without width that came with a value stay.
 *
 * Null where a value stands in a place that could change how the document is read (`areSlotsSafe`): then each
 * message must be compiled on its own.
 */
export function writeSlotted(source: SlottedSource, pieces: readonly LiquidPiece[]): WrittenSlotted | null {
  const { baseUrl, workspaceName, mailingAddress } = source;
  const values = pieces.filter((piece) => typeof piece !== "string").map(({ value }) => value);
  const written = pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
  if (values.length > SLOTS_MAX - FIRST_VALUE) return null;
  if (![written, baseUrl, workspaceName, mailingAddress].every(isFreeOfMarks)) return null;
  let slot = FIRST_VALUE;
  const authored = pieces
    .map((piece) => (typeof piece === "string" ? piece : slotMark(slot++, valueAsText(piece.value).length)))
    .join("");
  const slots = values.map((_, index) => FIRST_VALUE + index);
  if (!areSlotsSafe(authored, slots, source.trackClicks)) return null;

  const markOf = (name: TokenName) => slotMark(TOKEN_NAMES.indexOf(name), TOKEN_LENGTH);
  const tracked = source.trackClicks
    ? trackLinks(authored, (index) => `${baseUrl}/c/${markOf("click")}/${index}`)
    : { html: authored, links: [] };
  const footer = {
    workspaceName: workspaceName.toWellFormed(),
    mailingAddress: mailingAddress.toWellFormed(),
    unsubscribeUrl: `${baseUrl}/u/${markOf("unsubscribe")}`,
    pixelUrl: source.trackOpens ? `${baseUrl}/o/${markOf("open")}` : null,
  };
  const html = withFooter(tracked.html, footer, () => slotMark(PADDING, 0));
  const text = textAlternative(tracked.html, footerText(footer));
  // `writeMarketing` reports it, for each message.
  if (textProblem(text) !== null) return null;
  return {
    page: segmentsOf(html),
    html: writePart("text/html", html),
    text: writePart("text/plain", text),
    links: tracked.links.map(segmentsOf),
    boundary: boundaryOf(source, html),
  };
}

/** Makes the messages from what `writeSlotted` wrote for the same source. */
export function readySlotted(source: SlottedSource, written: WrittenSlotted): SlottedLetter {
  const { boundary } = written;
  const textPart = slottedPart(written.text, (line, segments) =>
    segments.some((segment) => typeof segment === "number" && segment >= FIRST_VALUE)
      ? filledLine(line)
      : line,
  );
  const htmlPart = slottedPart(written.html);
  return {
    links: (values) =>
      written.links.map((link) =>
        trimAsBrowsersDo(joinSegments(link, (slot) => asAttribute(valueIn(values, slot)))),
      ),
    compose(subject, values, recipient) {
      const problem = sourceProblem({ ...source, html: "", subject }) ?? recipientProblem(recipient);
      if (problem !== null) return invalid(problem);
      const { tokens } = recipient;
      const valueAt = (slot: number) => tokenOf(tokens, slot) ?? values[slot - FIRST_VALUE] ?? "";
      const inHtml = (slot: number) =>
        slot === PADDING ? pixelPadding(joinSegments(written.page, valueAt)) : valueAt(slot);
      const inText = (slot: number) => tokenOf(tokens, slot) ?? valueAsText(valueIn(values, slot));
      const message =
        recipientHeaders(recipient, `${source.baseUrl}/u/${tokens.unsubscribe}`) +
        staticHeaders({ ...source, html: "", subject }, boundary) +
        `\r\n--${boundary}\r\n${textPart(inText)}` +
        `\r\n--${boundary}\r\n${htmlPart(inHtml)}\r\n--${boundary}--\r\n`;
      const checked = checkMessage(message, recipient.address);
      return checked.ok ? accept({ bytes: checked.value }) : checked;
    },
  };
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
function boundaryOf({ feedbackId }: SlottedSource, html: string): string {
  const digest = createHash("sha256").update(`${feedbackId} ${html}`).digest("hex");
  return `=_${digest.slice(0, 32)}`;
}
