import { createHash } from "node:crypto";
import { invalid, type Result } from "#core/errors.ts";
import { unescapeHtml } from "#core/html-escape.ts";
import { checkMessage } from "./byte-check.ts";
import { withFooter } from "./with-footer.ts";
import { footerText, pixelPadding } from "./footer.ts";
import { trackLinks, trimAsBrowsersDo } from "./links.ts";
import type { LiquidPiece } from "./liquid.ts";
import { recipientHeaders, recipientProblem, sourceProblem, staticHeaders } from "./marketing-headers.ts";
import type { MarketingSource, Recipient } from "./marketing-mail.ts";
import { areSlotsSafe } from "./slot-places.ts";
import { isFreeOfMarks, joinSegments, segmentsOf, SLOTS_MAX, slotMark, type Segment } from "./slots.ts";
import { slottedPart } from "./slotted-part.ts";
import { filledLine, valueAsText } from "./slotted-text.ts";
import { textAlternative } from "./text-alternative.ts";
import { TOKEN_LENGTH, TOKEN_NAMES, type Tokens } from "./token-slots.ts";

/** What all messages of a mailing have in common whose templates wrote the same text around their values. */
export type SlottedSource = Omit<MarketingSource, "html" | "subject">;

export type SlottedLetter = {
  /** Where `/c/<click token>/<index>` leads in the message with these values. */
  links(values: readonly string[]): string[];
  /** One message: its own subject, its values (as they stand in `pieces`), its recipient. Ends as `CompiledMarketing.compose` does. */
  compose(subject: string, values: readonly string[], recipient: Recipient): Result<string>;
};

/** The slots: the recipient's tokens, what makes a short page long enough for its pixel, then the values. */
const PADDING = TOKEN_NAMES.length;
const FIRST_VALUE = PADDING + 1;

/**
 * A marketing mail (`marketing-template.ts`) whose HTML a template filled in: what a message costs is to put its values in, and to
 * encode the lines they stand in. Links, footer and text part are made once, from the text that all messages share; `pieces` are those
 * of any of them.
 *
 * Each message's HTML is, byte for byte, what `compileMarketing` would make of it, and so are its links, but that two links which the values
 * make equal keep two numbers. The text part may be wrapped elsewhere, have a space more behind a link, and keep what values bring of
 * characters without width. Null where a value stands in a place that
 * could change how the document is read (`areSlotsSafe`): then each message has to be compiled by itself.
 */
export function compileSlotted(source: SlottedSource, pieces: readonly LiquidPiece[]): SlottedLetter | null {
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

  const [open, click, unsubscribe] = TOKEN_NAMES.map((_, index) => slotMark(index, TOKEN_LENGTH));
  const tracked = source.trackClicks
    ? trackLinks(authored, (index) => `${baseUrl}/c/${click!}/${index}`)
    : { html: authored, links: [] };
  const footer = {
    workspaceName: workspaceName.toWellFormed(),
    mailingAddress: mailingAddress.toWellFormed(),
    unsubscribeUrl: `${baseUrl}/u/${unsubscribe!}`,
    pixelUrl: source.trackOpens ? `${baseUrl}/o/${open!}` : null,
  };
  return letterOf(source, {
    html: withFooter(tracked.html, footer, () => slotMark(PADDING, 0)),
    text: textAlternative(tracked.html, footerText(footer)),
    links: tracked.links.map(segmentsOf),
  });
}

type Marked = {
  readonly html: string;
  readonly text: string;
  readonly links: readonly (readonly Segment[])[];
};

function letterOf(source: SlottedSource, marked: Marked): SlottedLetter {
  const boundary = boundaryOf(source, marked.html);
  const textPart = slottedPart("text/plain", marked.text, (line, segments) =>
    segments.some((segment) => typeof segment === "number" && segment >= FIRST_VALUE)
      ? filledLine(line)
      : line,
  );
  const htmlPart = slottedPart("text/html", marked.html);
  const page = segmentsOf(marked.html);
  return {
    links: (values) =>
      marked.links.map((link) =>
        trimAsBrowsersDo(joinSegments(link, (slot) => asAttribute(values[slot - FIRST_VALUE]!))),
      ),
    compose(subject, values, recipient) {
      const problem = sourceProblem({ ...source, html: "", subject }) ?? recipientProblem(recipient);
      if (problem !== null) return invalid(problem);
      const { tokens } = recipient;
      const written = (slot: number) => tokenOf(tokens, slot) ?? values[slot - FIRST_VALUE] ?? "";
      const inHtml = (slot: number) =>
        slot === PADDING ? pixelPadding(joinSegments(page, written)) : written(slot);
      const inText = (slot: number) => tokenOf(tokens, slot) ?? valueAsText(values[slot - FIRST_VALUE]!);
      const message =
        recipientHeaders(recipient, `${source.baseUrl}/u/${tokens.unsubscribe}`) +
        staticHeaders({ ...source, html: "", subject }, boundary) +
        `\r\n--${boundary}\r\n${textPart(inText)}` +
        `\r\n--${boundary}\r\n${htmlPart(inHtml)}\r\n--${boundary}--\r\n`;
      return checkMessage(message, recipient.address);
    },
  };
}

/** A value as a parser reads it in an attribute. */
const asAttribute = (value: string): string => unescapeHtml(value).replaceAll("\0", "\uFFFD");

/** Null: a value's slot. */
const tokenOf = (tokens: Tokens, slot: number): string | null => {
  const name = TOKEN_NAMES[slot];
  return name === undefined ? null : tokens[name];
};

/** `=_` can stand in neither quoted-printable nor base64, so no part can hold this boundary (RFC 2045, 6.7, note). */
function boundaryOf({ feedbackId }: SlottedSource, html: string): string {
  const digest = createHash("sha256").update(`${feedbackId} ${html}`).digest("hex");
  return `=_${digest.slice(0, 32)}`;
}
