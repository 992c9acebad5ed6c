/** What can be typed, in the form that the scripts for shells need. Made from the same table as `help`. */
import { firstWord, type Command, type Flag } from "#commands/line/command.ts";

/** What may be typed in one place: one of some words, the name of a file or a directory, or any text. */
export type Place =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" | "directory" | "unknown" };

export type CompletedFlag = {
  readonly name: string;
  readonly says: string;
  /** Null: the flag takes no value. */
  readonly value: Place | null;
};

export type CompletedCommand = {
  readonly name: string;
  readonly says: string;
  readonly flags: readonly CompletedFlag[];
  readonly operands: Place;
};

export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map((command) => ({
    name: command.name,
    says: command.says,
    flags: [
      ...command.flags.map(completedFlag),
      ...(command.takesJson ? [{ name: "json", says: "Print JSON and nothing else.", value: null }] : []),
      { name: "help", says: "Explain the command.", value: null },
    ],
    operands: operandsOf(command, commands),
  }));
}

/** The first words of commands with two words (`key`, `settings` …), with the commands of each. */
export function groupsOf(commands: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  return Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => firstWord(name),
  );
}

/** Those of them that take a value. */
export const withValues = (flags: readonly CompletedFlag[]): { name: string; value: Place }[] =>
  flags.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));

/** Every flag of all commands, once. */
export function allFlags(commands: readonly CompletedCommand[]): CompletedFlag[] {
  return [...new Map(commands.flatMap(({ flags }) => flags).map((flag) => [flag.name, flag])).values()];
}

const completedFlag = ({ name, value, says, choices }: Flag): CompletedFlag => ({
  name,
  says,
  value: value === "" ? null : placeOf(value, choices),
});

function operandsOf({ name, operands, choices }: Command, commands: readonly Command[]): Place {
  const [first = ""] = operands;
  if (name !== "help") return placeOf(first, choices);
  return { kind: "words", words: [...new Set(commands.map((command) => firstWord(command.name)))] };
}

function placeOf(value: string, choices: readonly string[] | undefined): Place {
  if (choices !== undefined) return { kind: "words", words: choices };
  if (value.startsWith("FILE")) return { kind: "file" };
  return { kind: value === "DIR" ? "directory" : "unknown" };
}
