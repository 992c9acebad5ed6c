import { isoOrNull } from "#core/time/iso.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";
import { parseReason } from "#suppression/suppression-input.ts";
import { firstOperand, PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedIfChanged, recordedInWorkspace } from "./open.ts";
import { printList, printResult, timeText } from "#commands/line/printing.ts";

type Entry = { readonly email: string; readonly reason: SuppressionReason; readonly createdAt: number };

const wire = ({ email, reason, createdAt }: Entry) => ({ email, reason, createdAt: isoOrNull(createdAt) });

export const suppressionAdd: Command = {
  name: "suppression add",
  says: "Puts an address on the suppression list: it is never mailed.",
  operands: ["ADDRESS"],
  flags: [
    {
      name: "reason",
      value: "REASON",
      says: `${SUPPRESSION_REASONS.join(", ")} (MANUAL).`,
      choices: SUPPRESSION_REASONS,
    },
    ...PLACE,
  ],
  takesJson: true,
  notes: ["An address that is on the list already keeps the stronger reason; UNSUBSCRIBED is the weakest."],
  example: "suppression add ada@example.com --reason COMPLAINT",
  async run(call) {
    const reason = reasonOf(call.flags.reason ?? "MANUAL");
    await recordedIfChanged(call, "address_suppressed", async ({ suppressions }, workspaceId) => {
      const { entry } = await suppressions.add(workspaceId, firstOperand(call), reason);
      await printResult(call, wire(entry), `${entry.email} is suppressed: ${entry.reason}`);
    });
  },
};

export const suppressionRemove: Command = {
  name: "suppression remove",
  says: "Takes an address off the suppression list; its contact's status stays.",
  operands: ["ADDRESS"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "Nobody's status changes: people who are UNSUBSCRIBED or BOUNCED still get no campaigns. If the contact was",
    "deleted, only this list remembers the opt-out: after this, the person can be added as SUBSCRIBED.",
  ],
  example: "suppression remove ada@example.com",
  run: (call) =>
    recordedInWorkspace(call, "suppression_removed", async ({ suppressions }, workspaceId) => {
      const entry = await suppressions.find(workspaceId, firstOperand(call));
      if (entry === null || !(await suppressions.remove(workspaceId, entry.email))) {
        throw new Error(`${call.operands[0]} is not on the suppression list`);
      }
      await printResult(call, wire(entry), `${entry.email} is no longer suppressed`);
    }),
};

export const suppressionList: Command = {
  name: "suppression list",
  says: "Lists the suppressed addresses.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "suppression list --json",
  run: (call) =>
    inWorkspace(call, ({ suppressions }, workspaceId) =>
      printList(
        call,
        suppressions.list(workspaceId),
        wire,
        [
          { title: "EMAIL", of: (entry) => entry.email },
          { title: "REASON", of: (entry) => entry.reason },
          { title: "SINCE", of: (entry) => timeText(entry.createdAt) },
          { title: "SOURCE", of: (entry) => entry.source ?? "" },
        ],
        "No suppressed addresses.",
      ),
    ),
};

function reasonOf(text: string): SuppressionReason {
  const reason = parseReason(text);
  if (reason.ok) return reason.value;
  throw new UsageError(`--reason must be one of ${SUPPRESSION_REASONS.join(", ")}`);
}
