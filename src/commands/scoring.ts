import { unwrap } from "#core/errors/errors.ts";
import type { StoredRule } from "#scoring/scoring-rule.ts";
import { parseScoringFlags } from "#scoring/scoring.ts";
import { firstOperand, PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedInWorkspace } from "./open.ts";
import { printList, printResult } from "#commands/line/printing.ts";

const wire = ({ id, event, minValueCents, points }: StoredRule) => ({
  id,
  event,
  minValueCents,
  points,
});

export const scoringAdd: Command = {
  name: "scoring add",
  says: "Adds a rule of lead scoring: points for every event of a name.",
  operands: [],
  flags: [
    { name: "event", value: "NAME", says: "The event's name, in any spelling." },
    { name: "min-value-cents", value: "N", says: "Only events worth at least N minor units (cents)." },
    { name: "points", value: "N", says: "Points for each such event; negative points take away." },
    ...PLACE,
  ],
  takesJson: true,
  notes: ["A score is calculated when it is requested: a new rule counts at once, for past events too."],
  example: "scoring add --event order_placed --min-value-cents 5000 --points 20",
  run: (call) => {
    const { event, points, "min-value-cents": minValueCents } = call.flags;
    const parsed = parseScoringFlags({ event, points, minValueCents });
    if (!parsed.ok) throw new UsageError(parsed.refusal.message);
    return inWorkspace(call, async ({ scoring }, workspaceId) => {
      const rule = await scoring.add(workspaceId, unwrap(parsed));
      await printResult(call, wire(rule), `${rule.id}: ${rule.points} points for ${rule.event}`);
    });
  },
};

export const scoringRemove: Command = {
  name: "scoring remove",
  says: "Removes a rule of lead scoring.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  example: "scoring remove sr_01hx",
  run: (call) =>
    recordedInWorkspace(call, "scoring_rule_deleted", async ({ scoring }, workspaceId) => {
      const id = firstOperand(call);
      if (!(await scoring.remove(workspaceId, id))) throw new Error(`there is no scoring rule ${id}`);
      await printResult(call, { id }, `${id} is removed`);
    }),
};

export const scoringList: Command = {
  name: "scoring list",
  says: "Lists the rules of lead scoring.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "scoring list",
  run: (call) =>
    inWorkspace(call, async ({ scoring }, workspaceId) => {
      const rules = await scoring.list(workspaceId);
      await printList(
        call,
        rules,
        wire,
        [
          { title: "ID", of: ({ id }) => id },
          { title: "EVENT", of: ({ event }) => event },
          {
            title: "FROM CENTS",
            of: ({ minValueCents }) => (minValueCents === null ? "" : String(minValueCents)),
          },
          { title: "POINTS", of: ({ points }) => String(points) },
        ],
        "There are no scoring rules.",
      );
    }),
};
