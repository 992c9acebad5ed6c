import { starterLetter } from "./new-blocks.ts";

/** How a letter begins. */
export type Beginning = "blocks" | "source" | "template";

type FirstWords = { readonly firstText: string; readonly firstHtml: string };

/** The letter that somebody goes on from, if it does not come from a template. */
export const firstLetter = (beginning: Beginning, { firstText, firstHtml }: FirstWords) =>
  beginning === "source"
    ? ({ format: "html", body: firstHtml } as const)
    : ({ format: "mjml", body: starterLetter(firstText) } as const);
