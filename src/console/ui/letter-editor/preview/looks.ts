/** Ways to look at a letter. */
export const LOOKS = ["phone", "desktop", "dark", "text", "inbox"] as const;
export type LetterLook = (typeof LOOKS)[number];

/** The width for a letter on phones and in mail programs on computers, in pixels. */
export const WIDTHS = { phone: 375, desktop: 720, dark: 375 } as const;

const DARK =
  "<style>html{background:#fff;filter:invert(.9) hue-rotate(180deg)}img,video,[background]{filter:invert(1) hue-rotate(180deg)}</style>";

/** The letter as in mail programs that invert colours in dark mode, except those of images. */
export const darkened = (html: string): string =>
  /<\/head>/i.test(html) ? html.replace(/<\/head>/i, () => `${DARK}</head>`) : DARK + html;
