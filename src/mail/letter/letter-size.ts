import { footerHtml, pixelHtml } from "#mail/letter/marketing/footer.ts";
import { footerOf } from "#mail/letter/marketing/frame-footer.ts";
import { escapeHtml } from "#core/text/html-escape.ts";
import type { MarketingSource } from "#mail/letter/marketing/marketing-mail.ts";
import { isReaderLink } from "#mail/letter/marketing/reader-links.ts";
import { TOKEN_LENGTH } from "#mail/letter/slots/recipient-tokens.ts";

/**
 * Gmail shows only about 102 KB of a letter's HTML. It hides the rest, including the opt-out link, behind a link of
 * its own.
 */
const CLIPPED_ABOVE_BYTES = 102 * 1024;

type Sized = Pick<
  MarketingSource,
  | "html"
  | "workspaceName"
  | "mailingAddress"
  | "baseUrl"
  | "trackOpens"
  | "trackClicks"
  | "language"
  | "offersPreferences"
>;

/** HTML as it is sent, but for the counting of opens and clicks. */
type Uncounted = Pick<MarketingSource, "html" | "baseUrl" | "trackOpens" | "trackClicks">;

const LINK = /\bhref\s{0,8}=\s{0,8}(?:"(https?:\/\/[^"]*)"|'(https?:\/\/[^']*)')/gi;
const TOKEN = "x".repeat(TOKEN_LENGTH);

/**
 * How many bytes of HTML a letter will have, with footer and tracked links. MJML must be compiled before. Links are
 * found by a pattern, because parsing takes too long for a quick check. So links inside comments are counted too.
 */
export function expectedBytes(source: Sized): number {
  const { html } = source;
  const footer = footerHtml(footerOf(source, { open: TOKEN, unsubscribe: TOKEN }));
  return (
    Buffer.byteLength(html) + Buffer.byteLength(footer) + (source.trackClicks ? addedByLinks(source) : 0)
  );
}

/** How many bytes a finished letter without counting will have with it. */
export function countedBytes(letter: Uncounted): number {
  const { html, baseUrl, trackOpens, trackClicks } = letter;
  const pixel = trackOpens ? pixelHtml(`${baseUrl}/o/${TOKEN}`) : "";
  return Buffer.byteLength(html) + pixel.length + (trackClicks ? addedByLinks(letter) : 0);
}

function addedByLinks({ html, baseUrl }: Pick<Sized, "html" | "baseUrl">): number {
  const indexes = new Map<string, number>();
  let added = 0;
  for (const [, quoted, apostrophed] of html.matchAll(LINK)) {
    const target = quoted ?? apostrophed ?? "";
    if (isReaderLink(baseUrl, target)) continue;
    const index = indexes.get(target) ?? indexes.size;
    indexes.set(target, index);
    added += escapeHtml(`${baseUrl}/c/${TOKEN}/${index}`).length - Buffer.byteLength(target);
  }
  return added;
}

/** Null if the HTML, as it is sent, is short enough. */
export const sizeWarning = (bytes: number): string | null =>
  bytes <= CLIPPED_ABOVE_BYTES
    ? null
    : `The HTML comes to ${kilobytes(bytes)} KB with footer and tracked links. Gmail cuts a letter off at about ` +
      `${kilobytes(CLIPPED_ABOVE_BYTES)} KB: the end, and the link to unsubscribe with it, is hidden. Make it shorter.`;

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);
