import { escapeHtml } from "#core/text/html-escape.ts";
import { plainLines } from "#mail/html/plain-lines.ts";
import type { Language } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";

/** What every marketing mail contains below the author's own text. */
export type Footer = {
  readonly workspaceName: string;
  /** The postal address as the workspace wrote it, with its line breaks. */
  readonly mailingAddress: string;
  readonly language: Language;
  readonly unsubscribeUrl: string;
  /** Null if the workspace has no public lists. */
  readonly preferencesUrl: string | null;
  /** Null if opens are not tracked. */
  readonly pixelUrl: string | null;
};

/*
 * Inline and `!important`, because an author's stylesheet cannot override that. Each style is given twice,
 * since Word's engine (Outlook) skips declarations marked important. Text and background colours are both
 * given (contrast 7:1), so the footer is readable on any page, and clients with a dark mode change both
 * together.
 */
const FONT = "font:normal 12px/1.5 Arial,Helvetica,sans-serif";
const BOX_LOOKS = `background:#ffffff;color:#595959;padding:16px;text-align:center;${FONT}`;
const BOX_SHOWN =
  "display:block;visibility:visible;opacity:1;position:static;float:none;clear:both;transform:none;clip-path:none;filter:none;" +
  "width:auto;height:auto;max-width:none;max-height:none;overflow:visible;margin:0;border:0;text-indent:0;white-space:normal";
const LINK_LOOKS = `color:#595959;background:transparent;text-decoration:underline;${FONT}`;
const LINK_SHOWN = "display:inline;visibility:visible;opacity:1;position:static";

const BOX = `${BOX_LOOKS};${important(BOX_LOOKS)};${important(BOX_SHOWN)}`;
const LINK = `${LINK_LOOKS};${important(LINK_LOOKS)};${important(LINK_SHOWN)}`;
/** A text whose first letter is from a right-to-left script. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Mandaic}\p{sc=Adlam}\p{sc=Hanifi_Rohingya}]/u;
const PIXEL = "display:block;width:1px;height:1px;border:0";

/**
 * SpamAssassin treats a page of up to 3,200 bytes with an image as a picture without words (HTML_IMAGE_ONLY, up to
 * 2.8 points of 5), however small the image is. So a short letter is made longer than that.
 */
const PIXEL_PAGE_MIN = 3_300;
const END = "</div>";
/** A space in HTML. Lines that are not long can be sent unencoded (mime/seven-bit.ts). */
const LINE_END = "\n";

/**
 * The footer as one self-contained HTML element (docs/decisions.md "Campaigns and sending"; CAN-SPAM: postal
 * address and opt-out).
 */
export function footerHtml(footer: Footer): string {
  const lines = postalLines(footer).map(escapeHtml).join("<br>");
  const links = linksOf(footer)
    .map(({ url, words }) => `<a href="${escapeHtml(url)}" style="${LINK}">${escapeHtml(words)}</a>`)
    .join(`${LINE_END}&middot; `);
  const pixel = footer.pixelUrl === null ? "" : pixelHtml(footer.pixelUrl);
  const box = `<div style="${BOX}"${LINE_END}dir="${directionOf(footer.mailingAddress)}"${languageOf(footer)}>`;
  return `${box}${lines}<br>${LINE_END}${links}${pixel}${END}`;
}

export const pixelHtml = (url: string): string =>
  `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="${PIXEL}">`;

/** Screen readers read the words in their language. Mails without a language are mostly read as English. */
const languageOf = ({ language }: Footer): string => (language === "en" ? "" : ` lang="${language}"`);

/** The link to the preferences comes first, so that nobody leaves all lists only because no choice was offered. */
function linksOf({ language, unsubscribeUrl, preferencesUrl }: Footer): { url: string; words: string }[] {
  const texts = textsIn(language).footer;
  const unsubscribe = { url: unsubscribeUrl, words: texts.unsubscribe };
  return preferencesUrl === null
    ? [unsubscribe]
    : [{ url: preferencesUrl, words: texts.preferences }, unsubscribe];
}

/**
 * Adds `padding` to a text that ends with a footer: at the end of the footer's own content, where spaces are not
 * shown.
 */
export const padFooter = (withFooter: string, padding: string): string =>
  withFooter.slice(0, -END.length) + padding + END;

/** The padding for a page with a pixel. A line end counts as one character, in any form. */
export function pixelPadding(page: string): string {
  if (page.length >= 2 * PIXEL_PAGE_MIN) return "";
  return " ".repeat(Math.max(0, PIXEL_PAGE_MIN - page.replaceAll("\r\n", "\n").length));
}

/** The postal address gets its own direction: a page of the other direction would reverse its numbers and commas. */
const directionOf = (address: string): "ltr" | "rtl" => (RIGHT_TO_LEFT.test(address) ? "rtl" : "ltr");

/** The same for the text part, without a pixel. */
export function footerText(footer: Footer): string {
  const links = linksOf(footer).map(({ url, words }) => `${words}: ${url}`);
  return [...postalLines(footer), "", ...links].join("\n");
}

function postalLines(footer: Footer): string[] {
  return [...plainLines(footer.workspaceName), ...plainLines(footer.mailingAddress)];
}

function important(declarations: string): string {
  return declarations
    .split(";")
    .map((declaration) => `${declaration}!important`)
    .join(";");
}
