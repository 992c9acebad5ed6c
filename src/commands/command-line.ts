/** From what was typed to a command and its checked arguments. Everything wrong with it is a UsageError that says what would be right. */
import { parseArgs } from "node:util";
import { quoted } from "#core/text.ts";
import { UsageError, type Command, type Flag } from "./command.ts";

export type Typed = {
  readonly command: Command;
  readonly json: boolean;
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly operands: readonly string[];
};

/** Reads a command line. Without a command it is `serve`; flags may stand anywhere. */
export function readCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
): Typed | { readonly helpOn: string } {
  const words = wordsOf(argv, commands);
  const command = commandOf(words, commands);
  const wantsHelp = argv.some((word) => word === "--help" || word === "-h");
  if (command === null) return wantsHelp ? { helpOn: words.join(" ") } : refuseWords(words, commands);
  if (wantsHelp) return { helpOn: words.length === 0 ? "" : command.name };
  const { values, positionals } = parseStrictly(argv, command);
  const { json, ...rest } = values;
  const operands = positionals.slice(words.length === 0 ? 0 : command.name.split(" ").length);
  checkOperands(command, operands);
  const flags = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, value === true ? "on" : value]),
  );
  return { command, json: json === true, flags: flags as Typed["flags"], operands };
}

/** Everything that is no flag and no flag's value, whatever command it belongs to. */
function wordsOf(argv: readonly string[], commands: readonly Command[]): string[] {
  const flags = commands.flatMap((command) => command.flags);
  return parseArgs({ args: [...argv], options: optionsOf(flags), strict: false, allowPositionals: true })
    .positionals;
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | null {
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name);
  if (words.length === 0) return named("serve") ?? null;
  return named(words.slice(0, 2).join(" ")) ?? named(words[0]!) ?? null;
}

function refuseWords(words: readonly string[], commands: readonly Command[]): never {
  const [first = "", second] = words;
  const group = commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name }) => name.slice(first.length + 1));
  if (group.length === 0)
    throw new UsageError(`there is no command ${quoted(first)}: see \`postrider help\``);
  const problem =
    second === undefined
      ? `${first} needs one more word`
      : `there is no command ${quoted(`${first} ${second}`)}`;
  throw new UsageError(`${problem}: ${first} ${group.join(" | ")}`);
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
    });
  } catch (error) {
    throw new UsageError(`${flagProblem(error)}: see \`postrider help ${command.name}\``);
  }
}

function optionsOf(flags: readonly Flag[]): Record<string, { type: "string" | "boolean" }> {
  return Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === "" ? "boolean" : "string" }]),
  );
}

/** Node's words, cut to what was wrong. */
function flagProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '(-[^']*)'/.exec(message);
  if (unknown) return `there is no flag ${quoted(unknown[1]!)}`;
  const named = /'(?:-\w, )?(--[\w-]+)/.exec(message);
  if (named && message.includes("does not take an argument")) return `${named[1]} takes no value`;
  return named ? `${named[1]} needs a value` : message.split("\n")[0]!;
}

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
