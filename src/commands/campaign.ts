import { firstOperand, PLACE, type Command } from "#commands/line/command.ts";
import { inWorkspace } from "./open.ts";
import { printResult } from "#commands/line/tables.ts";

export const campaignRelease: Command = {
  name: "campaign release",
  says: "Lets a held campaign go: what it still owes is sent.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "A campaign is held when the server found a restored or copied database, or was down for more than a day past its time.",
    "Make sure first that its mail has not gone out from elsewhere: `postrider` cannot know.",
  ],
  example: "campaign release cmp_01hx",
  run: (call) =>
    inWorkspace(call, async ({ campaigns }, workspaceId) => {
      const id = firstOperand(call);
      await campaigns.releaseCampaign(workspaceId, id);
      await printResult(call, { id, released: true }, `${id} is released`);
    }),
};
