import { describe, expect, test } from "bun:test";
import { WaitingHits, type Hit } from "#tracking/hits.ts";

const open = (message: number): Hit => ({ message, kind: "open" });
const click = (message: number): Hit => ({ message, kind: "click" });

describe("waiting hits", () => {
  test("hold a message once for each kind, and give them back oldest first", () => {
    const hits = new WaitingHits(10);
    for (const hit of [open(1), click(1), open(2), open(1), click(1)]) expect(hits.add(hit)).toBe(true);
    expect(hits.take(2)).toEqual([open(1), click(1)]);
    expect(hits.take(2)).toEqual([open(2)]);
    expect([hits.isEmpty, hits.take(2)]).toEqual([true, []]);
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
