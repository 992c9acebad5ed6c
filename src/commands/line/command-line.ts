/**
 * Turns what was typed into a command and its checked arguments. Every mistake in it gives a UsageError that
 * says what to type instead.
 */
import { parseArgs } from "node:util";
import { quoted } from "#core/text/text.ts";
import { errorText } from "#core/errors/thrown.ts";
import { UsageError, type Command, type Flag } from "./command.ts";
import { meantText, noCommand } from "./meant.ts";

export type Typed = {
  readonly command: Command;
  readonly json: boolean;
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly operands: readonly string[];
};

/** Reads a command line. Without a command it means `serve`. Flags may come in any place. */
export function readCommandLine(
  typed: readonly string[],
  commands: readonly Command[],
): Typed | { readonly helpOn: string } {
  const argv = joinNegativeNumbers(asCommand(typed), commands);
  const words = wordsOf(argv, commands);
  const command = commandOf(words, commands);
  const wantsHelp = argv.some((word) => word === "--help" || word === "-h");
  if (command === null) {
    if (wantsHelp) return { helpOn: words.join(" ") };
    throw unknownFlag(argv, commands) ?? noCommand(words, commands);
  }
  if (wantsHelp) return { helpOn: words.length === 0 ? "" : command.name };
  const { values, positionals, tokens } = parseStrictly(argv, command);
  refuseRepeated(tokens, command);
  const { json, ...rest } = values;
  const operands = positionals.slice(words.length === 0 ? 0 : command.name.split(" ").length);
  checkOperands(command, operands);
  const flags = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      value === true ? "on" : Array.isArray(value) ? value.join("\n") : value,
    ]),
  );
  return { command, json: json === true, flags: flags as Typed["flags"], operands };
}

/** Nearly every program takes `--version`, so people and scripts type it. */
const asCommand = ([first, ...rest]: readonly string[]): readonly string[] =>
  first === undefined ? [] : [first === "--version" ? "version" : first, ...rest];

/** Whether this command line asks for errors as JSON. Works even if the command line is not valid. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}

/** Changes `--points -4` to `--points=-4`, because parseArgs would read the number as a flag. */
function joinNegativeNumbers(argv: readonly string[], commands: readonly Command[]): string[] {
  const takesValue = new Set(
    commands.flatMap(({ flags }) => flags.filter(({ value }) => value !== "").map(({ name }) => `--${name}`)),
  );
  const joined: string[] = [];
  for (const [i, word] of argv.entries()) {
    const flag = argv[i - 1] ?? "";
    if (/^-\.?\d/.test(word) && takesValue.has(flag) && joined.at(-1) === flag)
      joined[joined.length - 1] = `${flag}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** All words that are neither a flag nor the value of a flag, for any command. */
function wordsOf(argv: readonly string[], commands: readonly Command[]): string[] {
  const flags = commands.flatMap((command) => command.flags);
  return parseArgs({ args: [...argv], options: optionsOf(flags), strict: false, allowPositionals: true })
    .positionals;
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | null {
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name);
  const [first] = words;
  if (first === undefined) return named("serve") ?? null;
  return named(words.slice(0, 2).join(" ")) ?? named(first) ?? null;
}

/** Checked early, because the word after a misspelt flag looks like a command: `--prt 3`. */
function unknownFlag(argv: readonly string[], commands: readonly Command[]): UsageError | null {
  const known = [...new Set(commands.flatMap(knownFlags))];
  const names = argv.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/s, ""));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const meant = meantText(unknown, known);
  return meant === "" ? null : new UsageError(`there is no flag ${quoted(unknown)}${meant}`);
}

function parseStrictly(argv: readonly string[], command: Command) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        ...optionsOf(command.flags),
        ...(command.takesJson ? { json: { type: "boolean" } as const } : {}),
      },
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
  } catch (error) {
    throw new UsageError(flagProblem(error, command));
  }
}

/** The last would count: a line of a script that gets another flag at its end would mean something else. */
function refuseRepeated(tokens: ReturnType<typeof parseStrictly>["tokens"], { flags }: Command): void {
  const options = tokens.filter((token) => token.kind === "option");
  for (const { name, isRepeated = false } of flags) {
    const [first, ...others] = options.filter((option) => option.name === name);
    if (!isRepeated && others.some(({ value }) => value !== first?.value))
      throw new UsageError(`--${name} is there twice, with two values: give it once`);
  }
}

function optionsOf(
  flags: readonly Flag[],
): Record<string, { type: "string" | "boolean"; multiple: boolean }> {
  return Object.fromEntries(
    flags.map(({ name, value, isRepeated = false }) => [
      name,
      { type: value === "" ? "boolean" : "string", multiple: isRepeated },
    ]),
  );
}

/** Node's message, reduced to what was wrong. */
function flagProblem(error: unknown, command: Command): string {
  const message = errorText(error);
  const see = `see \`postrider help ${command.name}\``;
  const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
  if (unknown === "--help") return `--help takes no value: ${see}`;
  if (unknown !== undefined)
    return `${command.name} has no flag ${quoted(unknown)}${meantText(unknown, knownFlags(command)) || `: ${see}`}`;
  const named = /'(?:-\w, )?(--[\w-]+)/.exec(message)?.[1];
  if (named === undefined) return `${message.replace(/\n.*/s, "")}: ${see}`;
  if (message.includes("does not take an argument")) return `${named} takes no value: ${see}`;
  return message.includes("ambiguous")
    ? `${named} needs a value; one that begins with - is written ${named}=-…`
    : `${named} needs a value: ${see}`;
}

const knownFlags = ({ flags, takesJson }: Command): string[] =>
  [...flags.map(({ name }) => name), "help", ...(takesJson ? ["json"] : [])].map((name) => `--${name}`);

function checkOperands(command: Command, operands: readonly string[]): void {
  const missing = command.operands.slice(operands.length).find((operand) => !operand.startsWith("["));
  const see = `see \`postrider help ${command.name}\``;
  if (missing !== undefined)
    throw new UsageError(`${command.name} needs ${missing.replace(/…$/, "")}: ${see}`);
  const many = command.operands.at(-1)?.replace("]", "").endsWith("…") === true;
  const extra = many ? undefined : operands[command.operands.length];
  if (extra !== undefined)
    throw new UsageError(`${command.name} does not know what to do with ${quoted(extra)}: ${see}`);
}
