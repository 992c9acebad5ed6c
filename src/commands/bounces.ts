import { isoOrNull } from "#core/time/iso.ts";
import { firstOperand, PLACE, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { printList, printResult, timeText } from "#commands/line/printing.ts";
import type { UnreadMailEntry } from "#bounces/unread.ts";
import { withServices } from "./open.ts";

const wire = ({ number, workspaceId, way, from, subject, sizeBytes, receivedAt }: UnreadMailEntry) => ({
  number,
  workspaceId,
  way,
  from,
  subject,
  sizeBytes,
  receivedAt: isoOrNull(receivedAt),
});

const BOUNDS = [
  "Mails about failed mail that Postrider could not read are kept for 90 days, at most 1,000 of them and 64 MiB.",
];

export const bouncesList: Command = {
  name: "bounces list",
  says: "Lists the bounces that Postrider could not read, newest first.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  notes: BOUNDS,
  example: "bounces list",
  run: (call) =>
    withServices(call, async ({ unreadMails, workspaces }) => {
      const { workspace } = call.flags;
      const workspaceId = workspace === undefined ? null : await workspaces.pick(workspace);
      await printList(
        call,
        await unreadMails.list(workspaceId),
        wire,
        [
          { title: "NUMBER", of: ({ number }) => String(number) },
          { title: "RECEIVED", of: ({ receivedAt }) => timeText(receivedAt) },
          { title: "WAY", of: ({ way }) => way },
          { title: "FROM", of: ({ from }) => from },
          { title: "SUBJECT", of: ({ subject }) => subject },
        ],
        "No bounces wait for a person.",
      );
    }),
};

export const bouncesShow: Command = {
  name: "bounces show",
  says: "Prints one of these mails unchanged.",
  notes: [
    "On a terminal, control characters are written out, such as \\x1b: a mail could change the terminal.",
  ],
  operands: ["NUMBER"],
  flags: PLACE,
  takesJson: false,
  example: "bounces show 12 > bounce.eml",
  run: (call) =>
    withServices(call, async ({ unreadMails }) => {
      const raw = await unreadMails.source(numberOf(call));
      if (raw === null) throw notThere(call);
      await call.output.write(raw);
    }),
};

export const bouncesRemove: Command = {
  name: "bounces remove",
  says: "Removes one of these mails, after a person has read it.",
  operands: ["NUMBER"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "This suppresses nobody. If the mail shows that an address is dead: suppression add ADDRESS --reason HARD_BOUNCE.",
  ],
  example: "bounces remove 12",
  run: (call) =>
    withServices(call, async ({ unreadMails }) => {
      const number = numberOf(call);
      if (!(await unreadMails.removeNumber(number))) throw notThere(call);
      await printResult(call, { number, removed: true }, `${number} is removed`);
    }),
};

function numberOf(call: Call): number {
  const typed = firstOperand(call);
  if (!/^[0-9]{1,15}$/.test(typed)) throw new UsageError("NUMBER is the first column of bounces list");
  return Number(typed);
}

const notThere = (call: Call): Error =>
  new Error(`there is no kept bounce ${call.operands[0]}: see postrider bounces list`);
