import { literal, type Notation } from "./literal.ts";
import type { ExampleRequest } from "./request.ts";

/** An example for a module in Node, Bun or Deno; the environment variable `KEY` holds an API key, or `SESSION` the cookie of a session. */
export function javascriptExample(request: ExampleRequest): string {
  const { method, url, body, answer } = request;
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...headersOf(request),
    ...(body === null ? [] : [`body: ${bodyOf(body)}`]),
  ];
  const more = options.length === 0 ? "" : `, {\n${options.map((line) => `  ${line},\n`).join("")}}`;
  const read = answer === null ? "" : `, await answer.${answer}()`;
  return `${body?.kind === "upload" ? formOf(body) : ""}const answer = await fetch(${JSON.stringify(url)}${more});\nconsole.log(answer.status${read});`;
}

function headersOf({ credential, headers, body }: ExampleRequest): string[] {
  const lines = [
    ...(credential === "key" ? ["Authorization: `Bearer ${process.env.KEY}`"] : []),
    ...(credential === "cookie" ? ["Cookie: `postrider_session=${process.env.SESSION}`"] : []),
    ...(body?.kind === "json" ? ['"Content-Type": "application/json"'] : []),
    ...headers.map(([name, value]) => `${nameOf(name)}: ${JSON.stringify(value)}`),
  ];
  return lines.length === 0 ? [] : [`headers: {\n${lines.map((line) => `    ${line},\n`).join("")}  }`];
}

type Body = NonNullable<ExampleRequest["body"]>;

function formOf({ name, text, options }: Extract<Body, { kind: "upload" }>): string {
  const called = JSON.stringify(name);
  const content = text === null ? `await readFile(${called})` : JSON.stringify(text);
  return [
    ...(text === null ? ['import { readFile } from "node:fs/promises";'] : []),
    "const form = new FormData();",
    `form.append("file", new Blob([${content}]), ${called});`,
    ...(options === undefined
      ? []
      : [`form.append("options", JSON.stringify(${literal(options, JAVASCRIPT, 0)}));`]),
    "",
  ].join("\n");
}

function bodyOf(body: Body): string {
  if (body.kind === "upload") return "form";
  return body.kind === "json"
    ? `JSON.stringify(${literal(body.value, JAVASCRIPT, 1)})`
    : `new URLSearchParams(${literal(Object.fromEntries(body.fields), JAVASCRIPT, 1)})`;
}

const nameOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

const JAVASCRIPT: Notation = { indent: "  ", name: nameOf, word: String };
