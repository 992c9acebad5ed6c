import { VERSION } from "#version.ts";
import type { Command } from "#commands/line/command.ts";
import { printResult } from "#commands/line/printing.ts";

export const version: Command = {
  name: "version",
  says: "Prints the version; also `postrider --version`.",
  operands: [],
  flags: [],
  takesJson: true,
  example: "version",
  run: (call) => printResult(call, { version: VERSION }, VERSION),
};
