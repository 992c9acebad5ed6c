import { escapeHtml } from "#core/html-escape.ts";

/** A piece of HTML, as `html` makes it. */
export class Html {
  /** Taken as it is: for text that was made here. */
  constructor(readonly text: string) {}
}

/** What a template takes. Nothing comes of `null` and `false`; an array is joined. */
export type Insert = string | number | Html | null | false | readonly Insert[];

/**
 * A template that escapes by default: `html\`<p title="${title}">${text}</p>\``. Values are safe as text and inside
 * quoted attributes, and only there: never put one in a tag's or attribute's name, a style, a script or an address's scheme.
 */
export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  let text = strings[0]!;
  for (const [index, insert] of inserts.entries()) text += textOf(insert) + strings[index + 1]!;
  return new Html(text);
}

function textOf(insert: Insert): string {
  if (insert === null || insert === false) return "";
  if (insert instanceof Html) return insert.text;
  if (typeof insert === "object") return insert.map(textOf).join("");
  return escapeHtml(String(insert).toWellFormed());
}
