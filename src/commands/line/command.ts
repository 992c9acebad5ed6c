import { present } from "#core/present.ts";
import type { Clock } from "#core/time/clock.ts";
import type { Output } from "./output.ts";

/**
 * A flag that takes a value: `--list ID`. With an empty `value` it takes none, and is "on" if it was given.
 */
export type Flag = {
  readonly name: string;
  readonly value: string;
  readonly says: string;
  /** The possible values, for completion, if there are few. */
  readonly choices?: readonly string[];
  /** May be given several times: the values stand in lines. */
  readonly isRepeated?: true;
};

/** One command: how to find it, explain it and run it. */
export type Command = {
  /** As it is typed: `key create`. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly says: string;
  /** In order. `[KEY]` is optional; an operand that ends in `…` may be given several times. */
  readonly operands: readonly string[];
  /** The possible operands, for completion, if there are few. */
  readonly choices?: readonly string[];
  readonly flags: readonly Flag[];
  /** Whether `--json` makes it print JSON and nothing else on standard output. */
  readonly takesJson: boolean;
  /** Further lines for its help. */
  readonly notes?: readonly string[];
  /** A whole command line, without `postrider`. */
  readonly example: string;
  /**
   * Throws a UsageError (exit code 2) or any other error (1). Its message is the one line that the person
   * sees. Or it throws `Answered`.
   */
  run(call: Call): Promise<void>;
};

/** What was typed, checked against the operands and flags of the command. */
export type Call = {
  readonly operands: readonly string[];
  /** By name, without dashes; only flags that were given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
} & Surroundings;

/** What a command line runs in: the real process, or a test. */
export type Surroundings = {
  readonly output: Output;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** The operand of a command that needs one: without it, the command line was refused before. */
export const firstOperand = ({ operands }: Call): string => present(operands[0], "operand");

/** The first word of a command's name: of `key create`, the group `key`. */
export const firstWord = (name: string): string => name.replace(/ .*/s, "");

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** The command has printed its answer, and ends with an exit code of its own. */
export class Answered extends Error {
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}

/** The flag of every command that reads the database. */
export const DATA_DIR: Flag = {
  name: "data-dir",
  value: "DIR",
  says: "Directory of the database; also the variable DATA_DIR (./data).",
};

const WORKSPACE: Flag = {
  name: "workspace",
  value: "ID",
  says: "Which workspace; may be left out if there is only one.",
};

/** The flags that say what a command works on. */
export const PLACE: readonly Flag[] = [WORKSPACE, DATA_DIR];
