import { firstOperand, PLACE, type Command } from "#commands/line/command.ts";
import { recordedInWorkspace } from "./open.ts";
import { printResult } from "#commands/line/printing.ts";

export const formRelease: Command = {
  name: "form release",
  says: "Releases the confirmation mail that a form had queued when the database was copied.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "After a restore the queued confirmations of a form are held, because they may have gone out since the backup. Later ones are not.",
    "Make sure first that they have not: nobody should be asked twice.",
  ],
  example: "form release form_01hx",
  run: (call) =>
    recordedInWorkspace(call, "form_released", async ({ forms }, workspaceId) => {
      const id = firstOperand(call);
      await forms.release(workspaceId, id);
      await printResult(call, { id, released: true }, `The held mail of ${id} is released`);
    }),
};
