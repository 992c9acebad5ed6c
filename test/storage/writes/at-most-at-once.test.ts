import { expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { atMostAtOnce } from "#storage/common/engine/at-most-at-once.ts";

test("only so many are under way, and a workspace that asks for much does not keep others waiting", async () => {
  const take = atMostAtOnce(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (workspace: number, name: string) =>
    take(workspace, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const asked = [ask(1, "a1"), ask(1, "a2"), ask(1, "a3"), ask(1, "a4"), ask(2, "b1")];
  await nextLoopTurn();
  expect(begun).toEqual(["a1", "a2"]);
  for (const [ended, next] of [
    ["a2", "b1"],
    ["b1", "a3"],
    ["a1", "a4"],
  ] as const) {
    ends.get(ended)?.();
    await nextLoopTurn();
    expect(begun.at(-1)).toBe(next);
  }
  ends.get("a3")?.();
  ends.get("a4")?.();
  expect(await Promise.all(asked)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
});

test("one that fails gives its turn back", async () => {
  const take = atMostAtOnce(1);
  const failing = take(1, () => Promise.reject(new Error("no")));
  const next = take(1, () => Promise.resolve("done"));
  expect(await failing.catch(String)).toBe("Error: no");
  expect(await next).toBe("done");
});
