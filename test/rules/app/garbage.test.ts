import { expect, test } from "bun:test";
import { collectInRounds } from "#scheduler/garbage.ts";

test("garbage is collected in rounds: the young often, everything seldom, and nothing for a few messages", () => {
  const rounds: string[] = [];
  let message = 0;
  const collect = collectInRounds({
    young: () => rounds.push(`young ${message}`),
    all: () => rounds.push(`all ${message}`),
  });
  for (message = 1; message <= 11_000; message++) collect();
  expect(rounds.filter((round) => round.startsWith("all"))).toEqual(["all 500", "all 10500"]);
  expect(rounds.slice(0, 3)).toEqual(["all 500", "young 1000", "young 1500"]);
  expect(rounds).toHaveLength(22);
});
