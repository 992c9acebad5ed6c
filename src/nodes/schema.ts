import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, timestamp } from "#http/envelope.ts";
import type { Node } from "./node.ts";

/** The wire shapes of nodes (docs/contract.md "Nodes"). */

const nodeSchema = Type.Object(
  {
    number: Type.Integer({
      description: "As the log has it (`run`). Each start of a process has another.",
      examples: [7],
    }),
    name: Type.String({ description: "Its machine's name.", examples: ["node1"] }),
    version: Type.String({ description: "Postrider's version.", examples: ["0.1.0"] }),
    state: Type.String({
      enum: ["LIVE", "ENDED"],
      description:
        "LIVE: it may send. ENDED: it stopped, or gave no sign of life for 15 seconds; other nodes took over its work.",
      examples: ["LIVE"],
    }),
    startedAt: timestamp("When it started."),
    lastSeenAt: timestamp("Its last sign of life; one that is LIVE gives one every 3 seconds."),
    slices: Type.Integer({
      minimum: 0,
      description: "The parts of mailings that it is sending: how the work is shared at this moment.",
      examples: [4],
    }),
    answered: Type.Boolean({ description: "It is the one that gave this answer.", examples: [true] }),
  },
  { ...exact, $id: "Node", description: "A process that sends from the same PostgreSQL." },
);

export const nodeListSchema = Type.Array(nodeSchema, {
  description: "Newest first: those that are LIVE, and those that ended within a day; 100 at most.",
});

export const nodeWire = ({ isLive, isOwn, startedAt, lastSeenAt, ...node }: Node) => ({
  ...node,
  state: isLive ? "LIVE" : "ENDED",
  startedAt: isoOf(startedAt),
  lastSeenAt: isoOf(lastSeenAt),
  answered: isOwn,
});
