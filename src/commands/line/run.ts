import { AppError } from "#core/errors.ts";
import { systemClock } from "#core/clock.ts";
import { printableJson } from "#core/printable.ts";
import { UsageError } from "./command.ts";
import { asksForJson, readCommandLine } from "./command-line.ts";
import { helpOn } from "./help-text.ts";
import { processOutput } from "./output.ts";
import { COMMANDS } from "./table.ts";

/** Runs one command line and answers its exit code: 0 done, 2 typed wrongly, 1 any other failure. Failures are one line on standard error, never a trace. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const tell = (error: unknown): void =>
    asksForJson(argv) ? processOutput.progress(jsonOf(error)) : processOutput.warn(lineOf(error));
  watchProcess(tell);
  try {
    const typed = readCommandLine(argv, COMMANDS);
    if ("helpOn" in typed) {
      await processOutput.write(helpOn(typed.helpOn, COMMANDS));
      return 0;
    }
    const { command, ...call } = typed;
    await command.run({ ...call, output: processOutput, clock: systemClock });
    return 0;
  } catch (error) {
    tell(error);
    return isUsage(error) ? 2 : 1;
  }
}

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof AppError && error.code === "VALIDATION_ERROR");
}

/** One line too. `code` is one of the API's, `USAGE` for what was typed wrongly, or `FAILED`. */
function jsonOf(error: unknown): string {
  const code = error instanceof AppError ? error.code : error instanceof UsageError ? "USAGE" : "FAILED";
  return `${printableJson({ error: { code, message: lineOf(error) } })}\n`;
}

function watchProcess(tell: (error: unknown) => void): void {
  const end = (error: unknown): never => {
    tell(error);
    process.exit(1);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
  // `postrider consent list | head`: nobody reads on, so there is nothing left to do.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  // Nobody reads the log any more: no reason to stop.
  process.stderr.on("error", () => undefined);
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const damaged = "code" in error && (error.code === "SQLITE_CORRUPT" || error.code === "SQLITE_NOTADB");
  return damaged ? `the database is damaged (${error.message}): put a backup in its place` : error.message;
}
