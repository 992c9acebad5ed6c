import type { Command } from "./command.ts";
import { helpOn } from "./help-text.ts";

/** Needs the table that it stands in, so it is made with it. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: "help",
  says: "Explains the program or one command.",
  operands: ["[COMMAND…]"],
  flags: [],
  takesJson: false,
  example: "help settings set",
  run: ({ operands, output }) => output.write(helpOn(operands.join(" "), commands())),
});
