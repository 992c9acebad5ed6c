import { escapeHtml } from "#core/text/html-escape.ts";

/** A piece of HTML, as `html` makes it. */
export class Html {
  /** Takes the text as it is: only for text that this program made. */
  constructor(readonly text: string) {}
}

/** What a template accepts. `null` and `false` give nothing; an array is joined. */
export type Insert = string | number | Html | null | false | readonly Insert[];

/**
 * A template that escapes by default: `html\`<p title="${title}">${text}</p>\``. Values are safe only as text
 * and inside quoted attributes. Never put one in the name of a tag or attribute, a style, a script or the
 * scheme of an address.
 */
export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(String.raw({ raw: strings }, ...inserts.map(textOf)));
}

function textOf(insert: Insert): string {
  if (insert === null || insert === false) return "";
  if (insert instanceof Html) return insert.text;
  if (typeof insert === "object") return insert.map(textOf).join("");
  return escapeHtml(String(insert).toWellFormed());
}
