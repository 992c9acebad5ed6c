import type { Form } from "../../api/api.gen.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** What visitors read in a form of one's own. */
export type SnippetWords = { readonly button: string; labelOf(field: string): string };

/** What is copied to bring a form onto a site. */
export function snippetsOf(
  { id, embedUrl, fields }: Pick<Form, "id" | "embedUrl" | "fields">,
  { button, labelOf }: SnippetWords,
) {
  const page = embedUrl.replace(/\/api\/forms\/[^/]+\/submit$/, `/forms/${id}`);
  const inputs = ["email", ...fields].map((name) => {
    const input =
      name === "email"
        ? `<input type="email" name="email" autocomplete="email" required>`
        : `<input name="${escaped(name)}">`;
    return `  <label>${escaped(labelOf(name))} ${input}</label>`;
  });
  return {
    embed: `<script src="${page}/embed.js" async></script>`,
    page,
    html: [
      `<form method="post" action="${embedUrl}">`,
      ...inputs,
      `  <button>${escaped(button)}</button>`,
      "</form>",
    ].join("\n"),
  };
}
