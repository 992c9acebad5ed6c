import { expect, test } from "bun:test";
import { AppError } from "#core/errors/errors.ts";
import { createLog, type LogFormat } from "#log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

function logged(format: LogFormat, error: unknown): string {
  let line = "";
  const log = createLog({ level: "info", format, clock: manualClock(), write: (text) => (line += text) });
  log.error("it failed", { error, nothing: undefined });
  return line;
}
const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

test.each([
  [coded("ENOSPC: no space left on device, write", "ENOSPC"), "ENOSPC: no space left on device, write"],
  [coded("database or disk is full", "SQLITE_FULL"), "database or disk is full (SQLITE_FULL)"],
  [coded("disk I/O error", "SQLITE_IOERR_WRITE"), "disk I/O error (SQLITE_IOERR_WRITE)"],
  [coded("connect failed", "ECONNREFUSED"), "connect failed (ECONNREFUSED)"],
  [new AppError("CONFLICT", "The campaign is being sent."), "The campaign is being sent."],
  [
    new AppError("CONFLICT", "Later.", { cause: coded("locked", "SQLITE_BUSY") }),
    "Later.: locked (SQLITE_BUSY)",
  ],
])("what the machine does or a rule refuses has no stack: %p", (error, told) => {
  expect(JSON.parse(logged("json", error)).error).toBe(told);
});

test.each([
  new Error("boom"),
  new TypeError("x is not a function"),
  coded("no such column: spy", "SQLITE_ERROR"),
  new AppError("INTERNAL_ERROR", "A stored setting cannot be read."),
])("what nobody expects has its stack, and no word twice: %p", (error) => {
  const told: string = JSON.parse(logged("json", error)).error;
  expect(told).toContain(error.message);
  expect(told).toContain("log.test.ts");
  for (const line of [told, logged("pretty", error).slice("00:00:00 ".length)])
    expect(line).not.toMatch(/\b(\w+)[\s:="]+\1\b/i);
});

test("nothing in a field acts on a terminal or begins a line, in either format", () => {
  for (const format of ["json", "pretty"] as const) {
    const line = logged(format, "a\u001b[2J\u009b\u202eb\nforged");
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});
