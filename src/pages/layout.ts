import type { Language } from "#texts/language.ts";
import { html, Html } from "./html.ts";
import { contentPolicy, PRIVATE_HEADERS } from "./page-headers.ts";

export type Page = {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /** English unless given. */
  readonly language?: Language;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only image that it loads, as `imageSource` gives it. */
  readonly image?: string | undefined;
  /** Whether other sites may show it in a frame: only what holds nothing to press and nothing of a person. */
  readonly mayBeFramed?: boolean;
};

/** The backgrounds of a card's text and buttons. */
export const CARD_COLOURS = { light: ["#ffffff", "#f3f4f7"], dark: ["#1e242c", "#14181e"] } as const;

/**
 * Colours, type and focus of every page. Every text has a contrast of at least 4.5:1 with its background,
 * light and dark.
 */
export const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #556070; --ground: ${CARD_COLOURS.light[1]}; --card: ${CARD_COLOURS.light[0]}; --line: #d5dae2; --field: #767f8d; --act: #1f56c3; --on-act: #ffffff; --edge: transparent; --link: var(--act) }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9edf3; --soft: #a7b1bf; --ground: ${CARD_COLOURS.dark[1]}; --card: ${CARD_COLOURS.dark[0]}; --line: #39424e; --field: #8b95a3; --act: #8db4ff; --on-act: #0c1c3b }
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`;

/** A card in the middle of the page; also works on a phone. */
export const CARD_STYLE = `${BASE_STYLE}
body { display: grid; min-height: 100vh; min-height: 100svh; padding: 1rem; place-items: center }
main { width: 100%; max-width: 30rem; padding: clamp(1.5rem, 6vw, 2.5rem); background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
main > :last-child { margin-bottom: 0 }
.from { color: var(--soft); font-weight: 600 }
.small { color: var(--soft); font-size: .875rem }
button { width: 100%; margin: 0 0 1rem; padding: .75rem 1.25rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--act); color: var(--on-act); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(1.08) }
label { display: block; margin: 0 0 .25rem; font-weight: 600 }
.soft { color: var(--soft); font-weight: 400 }
input { display: block; width: 100%; min-height: 2.75em; margin: 0 0 1rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; font-size: max(1em, 16px) }
`;

/**
 * A small page with one thing to read or do: a card in the middle, without script or images; also works on a
 * phone.
 */
export function cardPage(page: Page): Response {
  return pageResponse(page, CARD_STYLE);
}

/**
 * A whole document around `body`, with the headers of every page. `more` are further directives of
 * its Content-Security-Policy.
 */
export function pageResponse(page: Page, style: string, more: readonly string[] = []): Response {
  return new Response(documentOf(page, style).text, {
    status: page.status ?? 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentPolicy(style, {
        image: page.image,
        frames: page.mayBeFramed ? "*" : "'none'",
        more,
      }),
      ...PRIVATE_HEADERS,
      ...page.headers,
    },
  });
}

/**
 * The style element is written in one piece, because its hash in the policy covers exactly these bytes. The icon is empty,
 * because browsers otherwise ask for `/favicon.ico`, which the policy stops: each page would have an error on their console.
 */
function documentOf({ title, body, language = "en" }: Page, style: string): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}
