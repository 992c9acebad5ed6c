import { starterLetter } from "./new-blocks.ts";
import type { SourcePlace } from "./piece-at.ts";

/** How a letter begins. */
export type Beginning = "blocks" | "source" | "template";

type FirstWords = { readonly firstText: string; readonly firstHtml: string };

/**
 * What every new letter says, and nobody writes, in every language of the console: whoever looks at a letter may read
 * another one than who began it.
 */
const FIRST_WORDS = ["write your letter here.", "hier steht Ihr Brief."];

/** Where a letter still has the words that it began with; null where they were written over. */
export function firstWordsIn(body: string): SourcePlace | null {
  const at = FIRST_WORDS.map((words) => body.indexOf(words)).find((found) => found >= 0);
  if (at === undefined) return null;
  const before = body.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** The letter that somebody goes on from, if it does not come from a template. */
export const firstLetter = (beginning: Beginning, { firstText, firstHtml }: FirstWords) =>
  beginning === "source"
    ? ({ format: "html", body: firstHtml } as const)
    : ({ format: "mjml", body: starterLetter(firstText) } as const);
