import type { Command } from "./command.ts";
import { helpOn } from "./help-text.ts";

/** Takes the table of commands as a function, because the command is itself part of the table. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: "help",
  says: "Explains the program or one command.",
  operands: ["[COMMAND…]"],
  flags: [],
  takesJson: false,
  example: "help settings set",
  run: ({ operands, output }) => output.write(helpOn(operands.join(" "), commands())),
});
