/** What a new step still lacks is said by the words of its fields, not by the API's. */
import { describe, expect, test } from "bun:test";
import { readNode } from "#automations/flow/node.ts";
import { LINE_SUBJECTS, newLine, opsOf } from "../../../src/console/ui/flow/condition-lines.ts";
import { newNode, NODE_KINDS } from "../../../src/console/ui/flow/node-kind.ts";
import { de } from "../../../src/console/ui/texts/de/index.ts";
import { en } from "../../../src/console/ui/texts/en/index.ts";

/** What the engine says of such steps. */
function problemsOf(steps: readonly object[]): string[] {
  const readings = steps.map((step) => readNode(step as never));
  return [...new Set(readings.flatMap((one) => (one.ok ? [] : one.problems.map(({ message }) => message))))];
}

const NEW = NODE_KINDS.map((kind) => newNode({ nodes: [], edges: [] }, kind));

const LINES = LINE_SUBJECTS.flatMap((subject) => {
  const line = newLine(subject);
  const field = line.field.endsWith(".") ? `${line.field}plan` : line.field;
  return [line, ...opsOf(subject).map((op) => ({ ...line, field, op }))];
});
const ASKING = LINES.map((line) => ({ id: "ask", type: "condition", data: { all: [line] } }));

const UNNAMED = [
  { id: "in", type: "trigger", data: { trigger: "custom_event", eventName: "!" } },
  { id: "ask", type: "condition", data: { all: [{ field: "event", op: "equals", value: "!" }] } },
];

describe("a step that is not filled in yet", () => {
  test.each([
    ["new", NEW, 5],
    ["a question", ASKING, 2],
    ["about an event without a name", UNNAMED, 2],
  ] as const)("and is %s, says so in words of its fields, in both languages", (_, steps, count) => {
    const said = problemsOf(steps);
    expect(said.length).toBeGreaterThanOrEqual(count);
    const inEnglish = said.map((sentence) => en.fromServer(sentence));
    const inGerman = said.map((sentence) => de.fromServer(sentence));
    expect([...inEnglish, ...inGerman].filter((text) => /`|[a-z][A-Z]|\burl\b|trigger\./.test(text))).toEqual(
      [],
    );
    expect(inGerman.filter((text) => /\b(?:value|tag|subject)\b/.test(text))).toEqual([]);
  });
});
