import { systemClock } from "#core/time/clock.ts";
import { outputTo } from "./output.ts";
import { runCommandLine, tellFailure } from "./run.ts";

/**
 * Runs a command line with the streams, the environment and the clock of this process. Returns the exit code.
 */
export function runInThisProcess(argv: readonly string[]): Promise<number> {
  useUtc();
  const output = outputTo(process.stdout, process.stderr);
  watchProcess((error) => tellFailure(argv, output, error));
  return runCommandLine(argv, { output, clock: systemClock, environment: process.env });
}

/**
 * The runtime reads dates without an offset by the clock of the machine, and so does the library of templates write them.
 * A letter must say the same wherever it is made: in UTC.
 */
function useUtc(): void {
  process.env["TZ"] = "UTC";
}

function watchProcess(tell: (error: unknown) => void): void {
  const end = (error: unknown): never => {
    tell(error);
    process.exit(1);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
  // `postrider consent list | head`: the reader has gone, so the command can end. Any other error is thrown to whoever
  // writes: ending here would end the command without its line, and with its database open.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  // Nobody reads the log any more. That is no reason to stop the process.
  process.stderr.on("error", () => undefined);
}
