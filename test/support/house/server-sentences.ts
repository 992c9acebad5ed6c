/** The sentences that the server says to people, read from its sources, for translations. */
import { join } from "node:path";
import { Glob } from "bun";
import { parseSync } from "oxc-parser";

const SRC = join(import.meta.dir, "../../../src");

/**
 * Sentences that no screen can cause or show: the command line, requests that only programs make (`POST /send`,
 * bulk routes), the document of the API, names of other services, and sentences with catalogues of their own.
 */
const NOT_ON_SCREENS = [
  /^(?:commands|console|pages|texts|storage|metrics|http\/openapi)\//,
  /^(?:transactional|events|inbound|tracking|stats\/(?!rates)|audit|preferences|scheduler|exports)/,
  /(?:^|[/-])(?:schema|routes?|worker|foreign-names)\.ts$/,
  /\.gen\.ts$/,
  /^config(-values)?\.ts$/,
  /^contacts\/(?:.*\/)?bulk-/,
  /^campaigns\/report\/outcome-/,
  /^doctor\/(?:.*\/)?(?:examine|data-directory|file-system|clock-sanity|postgres-server)\.ts$/,
  /^(?:app\/server-database|core\/errors\/fenced|move\/moved-away)\.ts$/,
  /^http\/(?:.*\/)?(?:health|envelope|cursor|bulk-body|multipart|any-json|call)\.ts$/,
  /^mail\/letter\/(?:.*\/)?(?:request-letter|transactional-|subject|confirmation-mail|marketing-)/,
  /^mail\/(?:dkim\/threads\/system-openssl|mailbox\/mailbox-address|smtp\/session\/smtp-session)\.ts$/,
  /^segments\/sentence\.ts$/,
  // What settings accept is read from the settings themselves.
  /^workspaces\/(?:.*\/)?(?:setting-table|[^/]*setting-values)\.ts$/,
];

/** Where checks say what they found: parts of sentences. */
const CHECKS = /^doctor\//;
const CHECK_CALLS = ["about", "ok", "warn", "fail", "failed", "publish"];
/** Where reasons are told why a row of a file is left out: they stand behind its number, and begin small. */
const ROWS = /^imports\//;
const ROW_CALLS = ["invalid"];
/** A file in which all texts are parts of the sentences of a person's history. */
const HISTORY = /^timeline\/sentence\.ts$/;

const SENTENCE = /^[A-Z`{][^\n]*\s[^\n]*[.?]$/;
const WORDS = /[A-Za-z] [A-Za-z{]|\} [a-z]/;

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** A text with `{}` in place of the parts that vary; null for other code. */
function patternOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type === "TemplateLiteral")
    return (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("{}");
  if (node.type !== "BinaryExpression" || node["operator"] !== "+") return null;
  const [left, right] = [patternOf(node["left"]), patternOf(node["right"])];
  return left === null && right === null ? null : `${left ?? "{}"}${right ?? "{}"}`;
}

function collect(
  value: unknown,
  isSaid: (text: string) => boolean,
  found: Set<string>,
  calls: readonly string[],
): void {
  if (Array.isArray(value)) for (const one of value) collect(one, isSaid, found, calls);
  if (!isNode(value) || value.type === "ImportDeclaration" || value.type.startsWith("TS")) return;
  const text = patternOf(value);
  if (text !== null && isSaid(text)) found.add(text);
  if (text !== null && value.type === "BinaryExpression") return;
  const callee = value["callee"] as { name?: string } | undefined;
  const says = value.type === "CallExpression" && calls.includes(callee?.name ?? "");
  const within = says ? isPart : isSaid;
  for (const child of Object.values(value)) collect(child, within, found, calls);
}

/**
 * Every sentence of the server that a screen can show, with its file; and the parts that a person's history is made
 * of.
 */
export async function serverSaid(): Promise<{ sentences: Map<string, string>; parts: Set<string> }> {
  const sentences = new Map<string, string>();
  const parts = new Set<string>();
  const files = (await Array.fromAsync(new Glob("**/*.ts").scan(SRC))).toSorted();
  for (const file of files) {
    if (NOT_ON_SCREENS.some((pattern) => pattern.test(file))) continue;
    const { program } = parseSync(file, await Bun.file(join(SRC, file)).text());
    if (HISTORY.test(file)) collect(program.body, isPart, parts, []);
    const found = new Set<string>();
    const calls = CHECKS.test(file) ? CHECK_CALLS : ROWS.test(file) ? ROW_CALLS : [];
    if (!HISTORY.test(file)) collect(program.body, isSentence, found, calls);
    for (const text of found) sentences.set(text, file);
  }
  return { sentences, parts };
}

const isSentence = (text: string): boolean => SENTENCE.test(text);
const isPart = (text: string): boolean => WORDS.test(text);
