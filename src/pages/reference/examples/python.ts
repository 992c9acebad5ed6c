import { literal, type Notation } from "./literal.ts";
import type { ExampleRequest } from "./request.ts";

/**
 * An example for `requests`; the environment variable `KEY` holds an API key. Its timeout is longer than the
 * 45 seconds that a send may take.
 */
export function pythonExample(request: ExampleRequest): string {
  const { method, url, needsKey, body, answer } = request;
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
    ...(needsKey ? ["import os"] : []),
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

function headersOf({ needsKey, headers }: ExampleRequest): string[] {
  const lines = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
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
