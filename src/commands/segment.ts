import type { Segment } from "#segments/segment.ts";
import { firstOperand, PLACE, type Command } from "#commands/line/command.ts";
import { pairs, printList, printResult, timeText } from "#commands/line/printing.ts";
import { inWorkspace } from "./open.ts";

export const segmentList: Command = {
  name: "segment list",
  says: "Lists the segments, newest first.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "segment list",
  run: (call) =>
    inWorkspace(call, async ({ segments }, workspaceId) => {
      await printList(
        call,
        segments.all(workspaceId),
        wire,
        [
          { title: "ID", of: ({ id }) => id },
          { title: "CHANGED", of: ({ updatedAt }) => timeText(updatedAt) },
          { title: "NAME", of: ({ name }) => name },
        ],
        "There are no segments.",
      );
    }),
};

export const segmentShow: Command = {
  name: "segment show",
  says: "Describes in words who is in a segment.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  example: "segment show seg_01hx",
  run: (call) =>
    inWorkspace(call, async ({ segments }, workspaceId) => {
      const segment = await segments.find(workspaceId, firstOperand(call));
      const sentence = await segments.sentence(workspaceId, segment);
      await printResult(call, { ...wire(segment), sentence }, `${segment.name}\n${sentence}`);
    }),
};

export const segmentCount: Command = {
  name: "segment count",
  says: "Counts who is in a segment now.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  example: "segment count seg_01hx",
  run: (call) =>
    inWorkspace(call, async ({ segments }, workspaceId) => {
      const count = await segments.count(workspaceId, await segments.find(workspaceId, firstOperand(call)));
      const { total, subscribed } = count;
      await printResult(
        call,
        count,
        pairs([
          ["contacts", String(total)],
          ["subscribed", String(subscribed)],
        ]),
      );
    }),
};

const wire = ({ id, name, rules, createdAt, updatedAt }: Segment) => ({
  id,
  name,
  rules,
  createdAt: timeText(createdAt),
  updatedAt: timeText(updatedAt),
});
