import type { Language } from "#texts/language.ts";
import { brandStyle } from "./brand.ts";
import { html, type Html } from "./html.ts";
import { CARD_STYLE, pageResponse } from "./layout.ts";
import { imageSource } from "./page-headers.ts";

/** The look and the language of a sender's pages. Empty: nothing was chosen. */
export type SenderLook = {
  readonly name: string;
  readonly language: Language;
  /** `#rrggbb`. */
  readonly brandColor: string;
  /** An absolute address. */
  readonly logoUrl: string;
};

type SenderPage = {
  readonly status?: number;
  readonly title: string;
  /** The content below the sender's name. */
  readonly content: Html;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mayBeFramed?: boolean;
};

/** A small page of a sender: a card with their logo, in their colour. Only the logo is loaded. */
export function senderPage(look: SenderLook, page: SenderPage, ownStyle = ""): Response {
  const { content, ...rest } = page;
  const style = `${CARD_STYLE}${brandStyle(look.brandColor)}${look.logoUrl === "" ? "" : LOGO_STYLE}${ownStyle}`;
  const body = html`<main>${letterhead(look)} ${content}</main>`;
  const image = look.logoUrl === "" ? undefined : imageSource(look.logoUrl);
  return pageResponse({ ...rest, language: look.language, body, image }, style);
}

/**
 * The sender's name is shown beside the logo. So the logo needs no text of its own, and nothing is lost if it
 * does not load.
 */
const letterhead = ({ name, logoUrl }: SenderLook): Html =>
  html`<p class="from">
    ${logoUrl !== "" && html`<img class="logo" src="${logoUrl}" alt="" referrerpolicy="no-referrer" />`}
    <bdi>${name}</bdi>
  </p>`;

/**
 * On a dark card, a logo stands on a white plate: most are made for white paper. One that does not load is as high as
 * its padding, 1rem. The plate has no size then, or it would be a white bar.
 */
const LOGO_STYLE = `
.logo { display: block; max-width: 100%; max-height: 3.5rem; margin: 0 0 .75rem; object-fit: contain; object-position: left }
@media (prefers-color-scheme: dark) { .logo { padding: .5rem; background: linear-gradient(#ffffff, #ffffff) 0 0 / 100% clamp(0px, (100% - 1rem) * 999, 100%) no-repeat; border-radius: .5rem; max-height: 4.5rem } }
`;
