import { Parser } from "htmlparser2";

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
  const counts = new Map(links.map(({ url, clicks }) => [url, clicks]));
  const marks: { readonly at: number; readonly clicks: number }[] = [];
  const open: (number | undefined)[] = [];
  const parser = new Parser({
    onopentag: (name, { href = "" }) => name === "a" && void open.push(counts.get(href.trim())),
    onclosetag: (name, isImplied) => {
      if (name !== "a") return;
      const clicks = open.pop();
      if (clicks !== undefined && !isImplied)
        marks.push({ at: html.indexOf(">", parser.endIndex) + 1, clicks });
    },
  });
  parser.write(html);
  parser.end();
  return marks.reduceRight(
    (marked, { at, clicks }) =>
      `${marked.slice(0, at)}<span style="${BADGE}">${shown(clicks)}</span>${marked.slice(at)}`,
    html,
  );
}
