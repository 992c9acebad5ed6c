import { textAlternative, textWithFooter } from "#mail/html/text-alternative.ts";
import { trackLinks, type TrackedLinks } from "#mail/html/links.ts";
import { contentStart, preheaderHtml } from "#mail/html/preheader.ts";
import { withUtm } from "#mail/html/utm.ts";
import { footerText, pixelPadding } from "./footer.ts";
import { footerOf } from "./frame-footer.ts";
import type { LetterPiece, MarketingFrame, MarketingTemplate } from "./marketing-mail.ts";
import { isReaderLink } from "./reader-links.ts";
import { hasOwnSlot } from "#mail/letter/letter-part.ts";
import { standInsFor, type Tokens } from "#mail/letter/slots/recipient-tokens.ts";
import { areSlotsSafe, type LinkUse } from "#mail/letter/slots/slot-safety.ts";
import {
  FIRST_VALUE,
  isFreeOfMarks,
  joinSegments,
  PADDING,
  segmentsOf,
  slotMark,
  VALUES_MAX,
} from "#mail/letter/slots/slots.ts";
import { valueAsText } from "#mail/letter/slots/value-text.ts";
import { withFooter } from "./with-footer.ts";

/** The author's parts, each as one text, with a mark for each value. */
export type Authored = {
  readonly html: string;
  /** Empty: there is no preheader. */
  readonly preheader: string;
  /** Null: it is made from the HTML. */
  readonly text: string | null;
  readonly hasValues: boolean;
  readonly standIns: Tokens;
};

/** A mailing's HTML and text before they are encoded, with stand-ins for the tokens. */
export type MarketingPage = {
  readonly html: string;
  readonly text: string;
  readonly links: readonly string[];
};

/**
 * Null if a value is in a place where it could change how the document is parsed (`areSlotsSafe`), or if the texts
 * contain characters of our marks.
 */
export function markValues(template: MarketingTemplate): Authored | null {
  const { html, preheader = [], text = null, baseUrl, workspaceName, mailingAddress } = template;
  const lists = [html, preheader, text ?? []];
  const hasValues = lists.some((pieces) => pieces.some((piece) => isValue(piece)));
  const fixed = lists.map((pieces) => joined(pieces, () => ""));
  if (hasValues && ![...fixed, baseUrl, workspaceName, mailingAddress].every(isFreeOfMarks)) return null;
  const standIns = standInsFor([...fixed, baseUrl, workspaceName, mailingAddress].join("").toWellFormed());
  let slot = FIRST_VALUE;
  const mark = (piece: VariablePiece): string =>
    "token" in piece ? standIns[piece.token] : slotMark(slot++, valueAsText(piece.value).length);
  const markedHtml = joined(html, mark).toWellFormed();
  const htmlSlots = Array.from({ length: slot - FIRST_VALUE }, (_, index) => FIRST_VALUE + index);
  const authored = {
    html: markedHtml,
    preheader: joined(preheader, mark).toWellFormed(),
    text: text && joined(text, mark).toWellFormed(),
    hasValues,
    standIns,
  };
  if (slot - FIRST_VALUE > VALUES_MAX) return null;
  return htmlSlots.length === 0 || areSlotsSafe(markedHtml, htmlSlots, linkUse(template)) ? authored : null;
}

type VariablePiece = Exclude<LetterPiece, string>;

const isValue = (piece: LetterPiece): boolean => typeof piece === "object" && "value" in piece;

const joined = (pieces: readonly LetterPiece[], written: (piece: VariablePiece) => string): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : written(piece))).join("");

/** How links are treated decides which places are safe for values. */
function linkUse({ trackClicks, utm }: MarketingFrame): LinkUse {
  if (trackClicks) return "tracked";
  return utm ? "completed" : "untouched";
}

/** Rewrites the links, adds preheader and footer, and makes the text part. */
export function compilePage(frame: MarketingFrame, authored: Authored): MarketingPage {
  const { preheader, text, hasValues, standIns } = authored;
  const { html, links } = rewriteLinks(frame, authored);
  const footer = footerOf(frame, standIns);
  const isTracked = (address: string): boolean => address.startsWith(`${frame.baseUrl}/c/${standIns.click}/`);
  // The length of a short page, and so its padding, may depend on the values.
  const paddingOf = (page: string): string => {
    const least = pixelPadding(hasValues ? joinSegments(segmentsOf(page), () => "") : page);
    return hasValues && least !== "" ? slotMark(PADDING, 0) : least;
  };
  return {
    html: withFooter(withPreheader(html, preheader), footer, paddingOf),
    text:
      text === null
        ? textAlternative(html, footerText(footer), hasValues ? isFilledLater : undefined, isTracked)
        : textWithFooter(text, footerText(footer)),
    links,
  };
}

const isFilledLater = (line: string): boolean => hasOwnSlot(segmentsOf(line));

/** More than any letter has. Each counted link may be worked out and stored for each message. */
const COUNTED_LINKS_MAX = 1_000;

/** `links` are the addresses without `utm`: values that are filled in later may bring such parameters. */
function rewriteLinks(frame: MarketingFrame, { html, standIns }: Authored): TrackedLinks {
  const { baseUrl, trackClicks, utm } = frame;
  const isLeftAlone = (target: string): boolean => isReaderLink(baseUrl, target);
  if (trackClicks) {
    const counted = (index: number) => `${baseUrl}/c/${standIns.click}/${index}`;
    return trackLinks(html, counted, isLeftAlone, COUNTED_LINKS_MAX);
  }
  if (!utm) return { html, links: [] };
  return { html: trackLinks(html, (_, target) => withUtm(target, utm), isLeftAlone).html, links: [] };
}

function withPreheader(html: string, preheader: string): string {
  if (preheader.trim() === "") return html;
  const at = contentStart(html);
  return html.slice(0, at) + preheaderHtml(preheader) + html.slice(at);
}
