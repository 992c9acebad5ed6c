import { closestOf } from "#core/text/closest.ts";
import { quoted } from "#core/text/text.ts";
import { firstWord, UsageError, type Command } from "./command.ts";

/** Refuses words that are not a command. Names the one that was probably meant, or else all commands. */
export function noCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first = "", second] = words;
  const group = commands
    .map(({ name }) => name.split(" "))
    .filter(([start, more]) => start === first && more);
  const choices = `${first} ${group.map(([, more]) => more).join(" | ")}`;
  if (second === undefined && group.length > 0)
    return new UsageError(`${first} needs one more word: ${choices}`);
  const typed = words.join(" ");
  const isCommand = commands.some(({ name }) => typed.startsWith(`${name} `));
  // `help` is also asked for more than a command: then its name is right, and what is behind it is too much.
  const unknown = quoted(isCommand ? typed : group.length > 0 ? `${first} ${second}` : first);
  const meant = commandMeant(words, commands);
  if (meant !== null)
    return new UsageError(`there is no command ${unknown}: did you mean \`postrider ${meant}\`?`);
  return new UsageError(
    `there is no command ${unknown}: ${group.length > 0 ? choices : "see `postrider help`"}`,
  );
}

/**
 * Tries both words first, in either order (`contacts import`), then the second within its group, then the first alone.
 * Where the first is right, only the second is compared: "campaign frob" is nearly "campaign stop", but means another.
 */
function commandMeant([first = "", second]: readonly string[], commands: readonly Command[]): string | null {
  const names = commands.map(({ name }) => name);
  const groups = [...new Set(names.map(firstWord))];
  if (second === undefined) return closestOf(first, groups);
  const isGroup = groups.includes(first);
  const inOrder = isGroup ? null : closestOf(`${first} ${second}`, names);
  const whole = inOrder ?? closestOf(`${second} ${first}`, names);
  if (whole !== null) return whole;
  const group = names.filter((name) => name.startsWith(`${closestOf(first, groups)} `));
  const word = closestOf(
    second,
    group.map((name) => name.slice(firstWord(name).length + 1)),
  );
  return group.find((name) => name.endsWith(` ${word}`)) ?? (isGroup ? null : closestOf(first, groups));
}

/** `: did you mean "x"?` for the end of a refusal, or nothing. */
export function meantText(typed: string, known: readonly string[]): string {
  const meant = closestOf(typed, known);
  return meant === null ? "" : `: did you mean ${meant}?`;
}
