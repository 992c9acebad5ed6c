import type { Form } from "../../api/api.gen.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Code to copy that puts a form on a site. */
export function snippetsOf({ id, embedUrl, fields }: Pick<Form, "id" | "embedUrl" | "fields">) {
  const page = embedUrl.replace(/\/api\/forms\/[^/]+\/submit$/, `/forms/${id}`);
  const inputs = ["email", ...fields].map((name) =>
    name === "email"
      ? `  <input type="email" name="email" required>`
      : `  <input name="${escaped(name)}" placeholder="${escaped(name)}">`,
  );
  return {
    embed: `<script src="${page}/embed.js" async></script>`,
    page,
    html: [`<form method="post" action="${embedUrl}">`, ...inputs, "  <button>OK</button>", "</form>"].join(
      "\n",
    ),
  };
}
