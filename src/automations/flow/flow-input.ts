import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkJsonValue, isJsonObject, type JsonObject } from "#core/request/json-value.ts";
import { storableText } from "#core/text/stored-text.ts";
import { codePoints, quoted } from "#core/text/text.ts";
import type { Flow } from "./flow.ts";

const NODES_MAX = 500;
const EDGES_MAX = 1000;
const FLOW_BYTES_MAX = 256 * 1024;
const NODE_ID_CHARACTERS_MAX = 200;
/** As many as conditions of a segment: a step answers all of them in one piece, and everybody else waits for it. */
const TESTS_MAX = 50;

/**
 * Checks the shape of `flowJson` and nothing else (docs/contract.md "Automation"; docs/decisions.md
 * "Automations"): an object with `nodes` (`id` and `type` strings, `data` an object, ids unique) and `edges`
 * (`source` and `target` strings). Limits: 500 nodes, 1,000 edges, 256 KB of JSON, ids of 200 characters, 50
 * tests in a condition; a flow that was saved before may have more. Other members are kept unchanged. A
 * refusal names the place, as in `flowJson.nodes[2].id`.
 */
export function parseFlow(value: unknown): Result<Flow> {
  if (!isJsonObject(value)) return invalid("`flowJson` must be an object with `nodes` and `edges`.");
  const { nodes, edges } = value as { nodes?: unknown; edges?: unknown };
  const checks = [
    () => checkEach("nodes", nodes, NODES_MAX, checkNode),
    () => checkEach("edges", edges, EDGES_MAX, checkEdge),
    () => checkUniqueIds(nodes as readonly { id: string }[]),
    () => checkJsonValue(value, "flowJson"),
    () => checkSize(value),
  ];
  for (const check of checks) {
    const checked = check();
    if (!checked.ok) return checked;
  }
  return accept(value as unknown as Flow);
}

type Check = (entry: Readonly<Record<string, unknown>>, path: string) => Result<unknown>;

function checkEach(member: string, entries: unknown, max: number, check: Check): Result<unknown> {
  const path = `flowJson.${member}`;
  if (!Array.isArray(entries)) return invalid(`\`${path}\` must be an array.`);
  if (entries.length > max)
    return invalid(`\`${path}\` has ${entries.length} entries; at most ${max} are allowed.`);
  for (const [index, entry] of (entries as unknown[]).entries()) {
    if (!isJsonObject(entry)) return invalid(`\`${path}[${index}]\` must be an object.`);
    const checked = check(entry, `${path}[${index}]`);
    if (!checked.ok) return checked;
  }
  return accept(entries);
}

const checkNode: Check = (node, path) => {
  for (const member of ["id", "type"]) {
    const checked = checkText(node[member], `${path}.${member}`);
    if (!checked.ok) return checked;
  }
  if (!isJsonObject(node.data)) return invalid(`\`${path}.data\` must be an object.`);
  return node.type === "condition" ? checkTests(node.data, path) : accept(node);
};

function checkTests(data: JsonObject, path: string): Result<unknown> {
  for (const match of ["all", "any"]) {
    const tests = data[match];
    if (Array.isArray(tests) && tests.length > TESTS_MAX)
      return invalid(
        `\`${path}.data.${match}\` has ${tests.length} tests; at most ${TESTS_MAX} are allowed.`,
      );
  }
  return accept(data);
}

const checkEdge: Check = (edge, path) => {
  const source = checkText(edge.source, `${path}.source`);
  return source.ok ? checkText(edge.target, `${path}.target`) : source;
};

function checkText(value: unknown, path: string): Result<string> {
  return typeof value === "string" && value !== ""
    ? accept(value)
    : invalid(`\`${path}\` must be a string that is not empty.`);
}

function checkUniqueIds(nodes: readonly { id: string }[]): Result<unknown> {
  const firstAt = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) {
    if (codePoints(id) > NODE_ID_CHARACTERS_MAX)
      return invalid(
        `\`flowJson.nodes[${index}].id\` is longer than ${NODE_ID_CHARACTERS_MAX} characters. Shorten it.`,
      );
    // Half of a UTF-16 pair, or NUL: a run at such a node could not be stored.
    if (storableText(id) !== id)
      return invalid(
        `\`flowJson.nodes[${index}].id\` has a character that cannot be stored. Use letters, digits or signs.`,
      );
    const first = firstAt.get(id);
    if (first !== undefined)
      return invalid(
        `\`flowJson.nodes[${index}].id\` is ${quoted(id)}, like \`flowJson.nodes[${first}].id\`. Node ids are unique.`,
      );
    firstAt.set(id, index);
  }
  return accept(nodes);
}

function checkSize(flow: object): Result<unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(flow));
  return bytes <= FLOW_BYTES_MAX
    ? accept(flow)
    : invalid(`\`flowJson\` has ${bytes} bytes of JSON; at most ${FLOW_BYTES_MAX} are allowed.`);
}
