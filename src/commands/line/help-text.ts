import { flagOf, OPTIONS } from "#config.ts";
import { VERSION } from "#version.ts";
import type { Command } from "./command.ts";
import { noCommand } from "./meant.ts";
import { pairs } from "./printing.ts";

/**
 * Help for the program (`""`), for one command, or for a group such as `key`.
 * @throws UsageError if there is no such command
 */
export function helpOn(name: string, commands: readonly Command[]): string {
  if (name === "") return programHelp(commands);
  const command = commands.find((one) => one.name === name);
  if (command) return commandHelp(command);
  const group = commands.filter((one) => one.name.startsWith(`${name} `));
  if (group.length === 0) throw noCommand(name.split(" "), commands);
  return `${commandTable(group)}\n`;
}

function programHelp(commands: readonly Command[]): string {
  return [
    `Postrider ${VERSION}: the email-marketing server you run yourself.`,
    "",
    "Usage: postrider [COMMAND] [FLAGS]",
    "",
    "Without a command it starts the server. All others but move, restore and migrate work while the server runs and take effect at its next request;",
    "with --json it prints JSON and nothing else, a failure as one line on standard error.",
    "",
    commandTable(commands),
    "",
    "Settings of the server, by environment variable or by flag (the flag wins):",
    optionTable(),
    "",
    "More: postrider help COMMAND, for example `postrider help import contacts`.",
    "",
  ].join("\n");
}

function commandHelp(command: Command): string {
  const { name, says, operands, notes = [], example } = command;
  const flags = flagRows(command);
  const json = command.takesJson ? [["--json", "Print JSON and nothing else."] as const] : [];
  return [
    says,
    "",
    `Usage: ${["postrider", name, ...operands].join(" ")} [FLAGS]`,
    "",
    pairs([...flags, ...json, ["--help", "Show this."]], "  "),
    ...(notes.length > 0 ? ["", ...notes] : []),
    "",
    `Example: postrider ${example}`,
    "",
  ].join("\n");
}

function flagRows(command: Command): (readonly [string, string])[] {
  return command.flags.map(({ name, value, says }) => [`--${name} ${value}`.trimEnd(), says] as const);
}

const commandTable = (commands: readonly Command[]): string =>
  pairs(
    commands.map(({ name, operands, says }) => [[name, ...operands].join(" "), says] as const),
    "  ",
  );

function optionTable(): string {
  return OPTIONS.map(
    ({ variable, value, says, byDefault }) =>
      `  ${variable}, --${flagOf(variable)} ${value}\n      ${says} (${byDefault})`,
  ).join("\n");
}
