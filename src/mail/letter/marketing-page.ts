import { textAlternative } from "#mail/html/text-alternative.ts";
import { trackLinks } from "#mail/html/links.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import { footerText, pixelPadding, type Footer } from "./footer.ts";
import type { MarketingFrame, MarketingTemplate } from "./marketing-mail.ts";
import { standInsFor, type Tokens } from "./recipient-tokens.ts";
import { areSlotsSafe } from "./slot-safety.ts";
import { FIRST_VALUE, isFreeOfMarks, PADDING, slotMark, VALUES_MAX } from "./slots.ts";
import { valueAsText } from "./value-text.ts";
import { withFooter } from "./with-footer.ts";

/** The author's HTML in one piece: with a mark for each value, where there are values. */
export type Authored = { readonly html: string; readonly hasValues: boolean };

/** A mailing's HTML and text before they are encoded, with stand-ins for the tokens. */
export type MarketingPage = {
  readonly html: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly standIns: Tokens;
};

/**
 * Null where a value stands in a place that could change how the document is read (`areSlotsSafe`), or the
 * texts hold characters of our marks.
 */
export function markValues(template: MarketingTemplate): Authored | null {
  const { html: pieces, baseUrl, workspaceName, mailingAddress, trackClicks } = template;
  const written = pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
  if (pieces.every((piece) => typeof piece === "string")) return { html: written, hasValues: false };
  if (![written, baseUrl, workspaceName, mailingAddress].every(isFreeOfMarks)) return null;
  const slots: number[] = [];
  const mark = ({ value }: Exclude<LiquidPiece, string>): string => {
    const slot = FIRST_VALUE + slots.length;
    slots.push(slot);
    return slotMark(slot, valueAsText(value).length);
  };
  const html = pieces.map((piece) => (typeof piece === "string" ? piece : mark(piece))).join("");
  if (slots.length > VALUES_MAX || !areSlotsSafe(html, slots, trackClicks)) return null;
  return { html, hasValues: true };
}

/** Rewrites the links, adds the footer, and makes the text part. */
export function compilePage(frame: MarketingFrame, { html: source, hasValues }: Authored): MarketingPage {
  const { baseUrl, workspaceName, mailingAddress } = frame;
  const authored = source.toWellFormed();
  const standIns = standInsFor(authored + baseUrl + workspaceName + mailingAddress);
  const clickUrl = (index: number) => `${baseUrl}/c/${standIns.click}/${index}`;
  const { html, links } = frame.trackClicks ? trackLinks(authored, clickUrl) : { html: authored, links: [] };
  const footer: Footer = {
    workspaceName: workspaceName.toWellFormed(),
    mailingAddress: mailingAddress.toWellFormed(),
    unsubscribeUrl: `${baseUrl}/u/${standIns.unsubscribe}`,
    pixelUrl: frame.trackOpens ? `${baseUrl}/o/${standIns.open}` : null,
  };
  // How long the page is, and so its padding, may depend on the values.
  const paddingOf = hasValues ? () => slotMark(PADDING, 0) : pixelPadding;
  return {
    html: withFooter(html, footer, paddingOf),
    text: textAlternative(html, footerText(footer)),
    links,
    standIns,
  };
}
