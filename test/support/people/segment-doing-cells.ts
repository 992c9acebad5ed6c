import { ALL, NONE, seen, mailed, where, whereNot, type Cell } from "./segment-cell.ts";
import { CAMPAIGNS, event, NOW, personWith } from "./segment-world.ts";
import { DAY } from "../common/durations.ts";

/** Rules on what a contact did: score, events, and what happened to their mail. */
export const DOING_CELLS: Readonly<Record<string, readonly Cell[]>> = {
  score: [
    {
      ops: [
        ["equals", 5],
        ["greaterThan", 4, {}, ALL],
        ["lessThan", 6],
      ],
      fits: personWith({ events: [event("scored", 1)], score: 5 }),
      doesNot: personWith({
        events: [event("scored", 1), event("lowered", 1), event("scored", 2)],
        score: 10,
      }),
      missing: null,
      wrongType: null,
    },
  ],
  event: [
    {
      ops: [
        ["atLeast", 1, { name: "Seen!" }],
        ["exactly", 1, { name: "seen" }],
        ["exactly", 0, { name: "seen" }, ["doesNot", "missing"]],
        ["atMost", 0, { name: "seen" }],
        ["atLeast", 1, { name: "seen", withinDays: 1 }],
        ["atMost", 0, { name: "seen", withinDays: 1 }],
      ],
      fits: seen(1),
      doesNot: personWith({ events: [event("seen_not", 1)] }),
      missing: NONE,
      wrongType: null,
    },
    {
      ops: [["atLeast", 1, { name: "seen", withinDays: 0.5 }]],
      fits: seen(0.5),
      doesNot: seen(0.51),
      missing: seen(-0.1),
      wrongType: null,
    },
    ...["equals", "contains", "startsWith", "endsWith"].map((op): Cell => ({
      ops: [where(op, "PRO")],
      fits: seen(1, { a: { b: "Pro" } }),
      doesNot: seen(1, { a: { b: "free" } }),
      missing: seen(1, { a: { c: "Pro" }, "a.b": "Pro" }),
      wrongType: seen(1, { a: { b: { pro: "Pro" } } }),
    })),
    {
      ops: [
        whereNot("notEquals", "PRO"),
        whereNot("notContains", "PRO"),
        ["atLeast", 1, { name: "seen", where: [{ property: "a.b", op: "notExists" }] }, ["missing"]],
      ],
      fits: seen(1, { a: { b: "Pro" } }),
      doesNot: seen(1, { a: { b: "free" } }),
      missing: seen(1, { a: { b: "" } }),
      wrongType: seen(1, { a: { b: 5 } }),
    },
    {
      ops: [where("contains", 7)],
      fits: seen(1, { a: { b: ["x", 7] } }),
      doesNot: seen(1, { a: { b: ["7"] } }),
      missing: seen(1, { a: {} }),
      wrongType: seen(1, { a: { b: 7 } }),
    },
    ...(
      [
        ["equals", 3],
        ["greaterThan", 2],
        ["lessThan", 4],
      ] as const
    ).map(([op, value]): Cell => ({
      ops: [where(op, value)],
      fits: seen(1, { a: { b: 3 } }),
      doesNot: seen(1, { a: { b: op === "lessThan" ? 4 : 2 } }),
      missing: seen(1, { a: { b: null } }),
      wrongType: seen(1, { a: { b: "3" } }),
    })),
    {
      ops: [where("exists", undefined)],
      fits: seen(1, { a: { b: false } }),
      doesNot: seen(1, { a: { b: "" } }),
      missing: seen(1, { a: [] }),
      wrongType: seen(1, { a: "b" }),
    },
  ],
  received: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", CAMPAIGNS[0], { withinDays: 1 }],
        ["notEquals", CAMPAIGNS[0], { withinDays: 1 }],
      ],
      fits: mailed({ receivedAt: NOW - DAY }),
      doesNot: mailed({ mailId: CAMPAIGNS[1], receivedAt: NOW }),
      missing: mailed({}),
      wrongType: null,
    },
    {
      ops: [
        ["equals", "any"],
        ["notEquals", "any"],
      ],
      fits: mailed({ mailId: CAMPAIGNS[1], receivedAt: NOW }),
      doesNot: mailed({ clickedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
  opened: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", "any", { withinDays: 2 }],
        ["notEquals", "any", { withinDays: 2 }],
      ],
      fits: mailed({ receivedAt: NOW, openedAt: NOW - 2 * DAY }),
      doesNot: mailed({ receivedAt: NOW, clickedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
  clicked: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", "any", { withinDays: 2 }],
      ],
      fits: mailed({ receivedAt: NOW, clickedAt: NOW - 2 * DAY }),
      doesNot: mailed({ receivedAt: NOW, openedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
};
