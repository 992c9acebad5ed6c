import { literal, type Notation } from "./literal.ts";
import type { ExampleRequest } from "./request.ts";

/**
 * An example for `requests`; the environment variable `KEY` holds an API key, or `SESSION` the cookie of a session.
 * Its timeout is longer than the 45 seconds that a send may take.
 */
export function pythonExample(request: ExampleRequest): string {
  const { method, url, credential, body, answer } = request;
  const options = [
    JSON.stringify(url),
    ...headersOf(request),
    ...(body?.kind === "json" ? [`json=${literal(body.value, PYTHON, 1)}`] : []),
    ...(body?.kind === "form" ? [`data=${literal(Object.fromEntries(body.fields), PYTHON, 1)}`] : []),
    ...(body?.kind === "upload" ? [filesOf(body)] : []),
    "timeout=60",
  ];
  const read = { json: ", answer.json()", text: ", answer.text" };
  return [
    ...(credential === null ? [] : ["import os"]),
    "import requests",
    "",
    `answer = requests.${method.toLowerCase()}(`,
    ...options.map((line) => `    ${line},`),
    ")",
    `print(answer.status_code${answer === null ? "" : read[answer]})`,
  ].join("\n");
}

type Upload = Extract<ExampleRequest["body"], { kind: "upload" }>;

function filesOf({ name, text, options }: Upload): string {
  const called = JSON.stringify(name);
  const content = text === null ? `open(${called}, "rb")` : JSON.stringify(text);
  const more = options === undefined ? "" : `, "options": (None, ${JSON.stringify(JSON.stringify(options))})`;
  return `files={"file": (${called}, ${content})${more}}`;
}

function headersOf({ credential, headers }: ExampleRequest): string[] {
  const lines = [
    ...(credential === "cookie" ? [`"Cookie": f"postrider_session={os.environ['SESSION']}"`] : []),
    ...(credential === "key" ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  return lines.length === 0 ? [] : [`headers={\n${lines.map((line) => `        ${line},\n`).join("")}    }`];
}

const WORDS = { true: "True", false: "False", null: "None" };
const PYTHON: Notation = {
  indent: "    ",
  name: (name) => JSON.stringify(name),
  word: (word) => WORDS[`${word}`],
};
