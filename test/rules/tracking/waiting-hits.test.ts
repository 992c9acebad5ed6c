import { describe, expect, test } from "bun:test";
import type { EngagementHit } from "#deliveries/ledger.ts";
import { WaitingHits } from "#tracking/hits.ts";

const open = (message: number, by: EngagementHit["by"] = "person", at = 0): EngagementHit => ({
  message,
  kind: "open",
  by,
  at,
  link: null,
  times: 1,
});
const click = (message: number, number = 0): EngagementHit => ({
  message,
  kind: "click",
  by: "person",
  at: 0,
  link: { number, url: `https://shop.example.org/${number}` },
  times: 1,
});

describe("waiting hits", () => {
  test("hold a message once for each kind, and give them back oldest first", () => {
    const hits = new WaitingHits(10);
    for (const hit of [open(1), click(1), open(2), open(1), click(1)]) expect(hits.add(hit)).toBe(true);
    expect(hits.take(2)).toEqual([
      { ...open(1), times: 2 },
      { ...click(1), times: 2 },
    ]);
    expect(hits.take(2)).toEqual([open(2)]);
    expect([hits.isEmpty, hits.take(2)]).toEqual([true, []]);
  });

  test("keep the clicks of each link apart, however many links there are", () => {
    const hits = new WaitingHits(10);
    for (const hit of [click(1, 0), click(1, 1), click(2, 0), click(1, 1), click(1, 99_998), click(2, 5e8)])
      hits.add(hit);
    expect(hits.take(9).map(({ message, link, times }) => [message, link?.number, times])).toEqual([
      [1, 0, 1],
      [1, 1, 2],
      [2, 0, 1],
      [1, 99_998, 1],
      [2, 5e8, 1],
    ]);
  });

  test("keep a machine's and a person's apart, and each one's first", () => {
    const hits = new WaitingHits(10);
    const machine = open(1, "machine", 5);
    for (const hit of [machine, open(1, "person", 6), open(1, "machine", 7), open(1, "person", 8)])
      hits.add(hit);
    expect(hits.take(9)).toEqual([
      { ...machine, times: 2 },
      { ...open(1, "person", 6), times: 2 },
    ]);
  });

  test("refuse what is new when they are full, and take what they hold already", () => {
    const hits = new WaitingHits(2);
    expect([hits.add(open(1)), hits.add(open(2)), hits.add(open(3)), hits.add(open(1))]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    hits.take(1);
    expect(hits.add(open(3))).toBe(true);
    expect(hits.take(9)).toEqual([open(2), open(3)]);
  });
});
