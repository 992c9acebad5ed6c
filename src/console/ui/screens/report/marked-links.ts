import { Parser } from "htmlparser2";
import { linkName } from "./lit-link.ts";

type Counted = { readonly url: string; readonly clicks: number };

const BADGE =
  "display:inline-block;margin-left:4px;padding:0 6px;border-radius:9px;background:#0b6a73;color:#fff;font:600 11px/18px sans-serif;text-decoration:none;vertical-align:middle";

/**
 * The letter with the clicks on each link beside it. All links with the same address get the same number: it is not
 * known which of them was followed.
 */
export function markedLinks(
  html: string,
  links: readonly Counted[],
  shown: (count: number) => string,
): string {
  const places = new Map(links.map(({ url }, place) => [url, place]));
  const marks: { readonly at: number; readonly place: number }[] = [];
  const open: (number | undefined)[] = [];
  const parser = new Parser({
    onopentag: (name, { href = "" }) => name === "a" && void open.push(places.get(href.trim())),
    onclosetag: (name, isImplied) => {
      if (name !== "a") return;
      const place = open.pop();
      if (place !== undefined && !isImplied)
        marks.push({ at: html.indexOf(">", parser.endIndex) + 1, place });
    },
  });
  parser.write(html);
  parser.end();
  const first = new Set<number>();
  const badges = marks.map(({ at, place }) => {
    const id = first.has(place) ? "" : ` id="${linkName(place)}"`;
    first.add(place);
    const words = shown(links[place]?.clicks ?? 0);
    return { at, badge: `<span${id} class="${linkName(place)}" style="${BADGE}">${words}</span>` };
  });
  return badges.reduceRight((marked, { at, badge }) => marked.slice(0, at) + badge + marked.slice(at), html);
}
