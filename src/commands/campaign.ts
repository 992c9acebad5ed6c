import type { SendAction } from "#campaigns/send/send-control.ts";
import { firstOperand, PLACE, type Command } from "#commands/line/command.ts";
import { recordedInWorkspace } from "./open.ts";
import { printResult } from "#commands/line/printing.ts";

export const campaignRelease: Command = {
  name: "campaign release",
  says: "Releases a held campaign: the mail that it still owes is sent.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "A campaign is held if the server found a restored or copied database, or was down until more than a day after its time.",
    "Make sure first that no other server has sent its mail: `postrider` cannot know.",
  ],
  example: "campaign release cmp_01hx",
  run: (call) =>
    recordedInWorkspace(call, "campaign_released", async ({ campaigns }, workspaceId) => {
      const id = firstOperand(call);
      await campaigns.releaseCampaign(workspaceId, id);
      await printResult(call, { id, released: true }, `${id} is released`);
    }),
};

/** The three actions on a running send. A running server notices them within a second. */
const control = (
  action: SendAction,
  says: string,
  { notes, done }: { readonly notes: readonly string[]; readonly done: string },
): Command => ({
  name: `campaign ${action}`,
  says,
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  notes,
  example: `campaign ${action} cmp_01hx`,
  run: (call) =>
    recordedInWorkspace(call, `campaign_${done}`, async ({ sendControl }, workspaceId) => {
      const id = firstOperand(call);
      if (action === "stop") await (await sendControl.stop(workspaceId, id)).skipped;
      else await sendControl[action](workspaceId, id);
      await printResult(call, { id, [done]: true }, `${id} is ${done}`);
    }),
});

export const campaignPause = control("pause", "Pauses a campaign that is being sent.", {
  notes: [
    "Nothing new goes out until it is resumed, even after a restart. Messages that the relay is just taking are finished.",
  ],
  done: "paused",
});

export const campaignResume = control("resume", "Continues a paused campaign where it stopped.", {
  notes: ["Nobody is mailed twice."],
  done: "resumed",
});

export const campaignStop = control("stop", "Stops a campaign that is being sent, for good.", {
  notes: ["All messages that are still owed are skipped, with the reason STOPPED, and the campaign is SENT."],
  done: "stopped",
});
