import { AppError } from "#core/errors/errors.ts";
import { printableJson } from "#core/text/printable.ts";
import { Answered, UsageError, type Surroundings } from "./command.ts";
import { asksForJson, readCommandLine } from "./command-line.ts";
import { failureText } from "./failure-text.ts";
import { helpOn } from "./help-text.ts";
import type { Output } from "./output.ts";
import { COMMANDS } from "./table.ts";

/**
 * Runs one command line and returns its exit code: 0 for success, 2 for a usage error, 1 for any other
 * failure, or what the command's own answer is. A failure is one line on standard error, never a stack trace.
 */
export async function runCommandLine(argv: readonly string[], around: Surroundings): Promise<number> {
  const { output } = around;
  try {
    const typed = readCommandLine(argv, COMMANDS);
    if ("helpOn" in typed) {
      await output.write(helpOn(typed.helpOn, COMMANDS));
      return 0;
    }
    const { command, ...call } = typed;
    await command.run({ ...call, ...around });
    return 0;
  } catch (error) {
    if (error instanceof Answered) return error.exitCode;
    tellFailure(argv, output, error);
    return isUsage(error) ? 2 : 1;
  }
}

/** Prints a failure as one line, or as JSON if the command line asks for it. */
export function tellFailure(argv: readonly string[], output: Output, error: unknown): void {
  if (asksForJson(argv)) output.progress(jsonOf(error));
  else output.warn(failureText(error));
}

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof AppError && error.code === "VALIDATION_ERROR");
}

/** Also one line. `code` is an error code of the API, `USAGE` for a usage error, or `FAILED`. */
function jsonOf(error: unknown): string {
  const code = error instanceof AppError ? error.code : error instanceof UsageError ? "USAGE" : "FAILED";
  return `${printableJson({ error: { code, message: failureText(error) } })}\n`;
}
