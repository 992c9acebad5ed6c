import type { Clock } from "#core/clock.ts";
import type { Output } from "./output.ts";

/** A flag that takes a value: `--list ID`; with an empty `value` it takes none, and is "on" where it was given. */
export type Flag = {
  readonly name: string;
  readonly value: string;
  readonly says: string;
  /** For completion, where there are few. */
  readonly choices?: readonly string[];
};

/** One command as it is found, explained and run. */
export type Command = {
  /** As it is typed: `key create`. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly says: string;
  /** In order; `[KEY]` may be left out, one that ends in `…` may be given several times. */
  readonly operands: readonly string[];
  /** What an operand can be; for completion, where there are few. */
  readonly choices?: readonly string[];
  readonly flags: readonly Flag[];
  /** Whether `--json` makes it print JSON and nothing else on standard output. */
  readonly takesJson: boolean;
  /** Further lines for its help. */
  readonly notes?: readonly string[];
  /** A whole command line, without `postrider`. */
  readonly example: string;
  /** Throws a UsageError (exit code 2) or anything else (1); its message is the one line a person sees. */
  run(call: Call): Promise<void>;
};

/** What was typed, checked against the command's operands and flags. */
export type Call = {
  readonly operands: readonly string[];
  /** By name, without dashes; only those that were given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
} & Surroundings;

/** What a command line is run in: the process's own, or a test's. */
export type Surroundings = {
  readonly output: Output;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** What was typed cannot be done as it is: exit code 2. */
export class UsageError extends Error {}

/** The flag of every command that reads the database. */
export const DATA_DIR: Flag = {
  name: "data-dir",
  value: "DIR",
  says: "Directory of the database; also the variable DATA_DIR (./data).",
};

const WORKSPACE: Flag = {
  name: "workspace",
  value: "ID",
  says: "Which workspace; may be left out where there is only one.",
};

/** Where a command finds what it works on. */
export const PLACE: readonly Flag[] = [WORKSPACE, DATA_DIR];
