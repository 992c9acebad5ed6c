import type { LinkFigures } from "#campaigns/report/outcome-figures.ts";

/** Clicked links first, then the others; links with the same number of clicks are in the order of the letter. */
export function inLetterOrder(clicked: readonly LinkFigures[], urls: readonly string[]): LinkFigures[] {
  const places = new Map(urls.map((url, place) => [url, place]));
  const figures = new Map(clicked.map((each) => [each.url, each]));
  const all = [...places.keys()].map((url) => figures.get(url) ?? { url, clicks: 0, recipients: 0 });
  const others = clicked.filter(({ url }) => !places.has(url));
  return [...all, ...others].toSorted((a, b) => b.clicks - a.clicks);
}
