/** Flags that stand for variables of the server. A command has some of them, and may explain them in its own words. */
import { flagOf, OPTIONS, readConfig, type Config, type Option, type Variable } from "#config.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Call, Flag } from "./command.ts";

/** In the order of `OPTIONS`. @param saysOf what the flag does */
export const optionFlags = (variables: readonly Variable[], saysOf: (option: Option) => string): Flag[] =>
  OPTIONS.filter(({ variable }) => variables.includes(variable)).map((option) => ({
    name: flagOf(option.variable),
    value: option.value,
    says: saysOf(option),
  }));

/** What flags and environment say. @throws AppError for the first bad value */
export const configOf = ({ flags, environment, output }: Call): Config =>
  unwrap(readConfig({ flags, environment, onTerminal: output.onTerminal }));
