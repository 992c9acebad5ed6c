import { systemClock } from "#core/time/clock.ts";
import { createLog, type Log } from "#log.ts";

/** For a test that does not look at what is logged. */
export const SILENT_LOG: Log = createLog({
  level: "error",
  format: "json",
  clock: systemClock,
  write: () => undefined,
});
