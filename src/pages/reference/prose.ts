import { html, type Html } from "#pages/html.ts";

/** The parts of Markdown that descriptions use: paragraphs, and code between backticks. */
export function prose(text: string): Html[] {
  return text
    .split(/\n\n+/)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2);
