import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { systemClock } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { gatheredSteps } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import { writeQueue } from "#storage/sqlite/engine/writes/write-queue.ts";

let sqlite: Database;
/** When the disk has what was committed: at once, or for a test later. */
let flushed: Promise<void>;
/** The steps each run was given. */
let runs: string[][];
let steps: ReturnType<typeof gatheredSteps<string, number>>;

beforeEach(() => {
  sqlite = new Database(":memory:", { strict: true });
  sqlite.run("CREATE TABLE people (name TEXT NOT NULL UNIQUE) STRICT");
  runs = [];
  flushed = Promise.resolve();
  // It stands still: how many steps go into a job is then no matter of how busy the machine is.
  const clock = { ...systemClock, monotonicMs: () => 0 };
  const writes = writeQueue(sqlite, { clock, flush: () => flushed });
  steps = gatheredSteps(writes, (names: readonly string[]) => {
    runs.push([...names]);
    return names.map((name) => {
      sqlite.run("INSERT INTO people (name) VALUES (?)", [name]);
      return name.length;
    });
  });
});

afterEach(() => sqlite.close());

const people = (): string[] =>
  sqlite
    .query<{ name: string }, []>("SELECT name FROM people ORDER BY rowid")
    .all()
    .map(({ name }) => name);

test("steps of one moment run together, in the order they came in, each with its own answer", async () => {
  const answers = await Promise.all([steps.soon("Ada"), steps.now("Grace"), steps.soon("Linus")]);
  expect(answers).toEqual([3, 5, 5]);
  expect(runs).toEqual([["Ada", "Grace", "Linus"]]);
  expect(people()).toEqual(["Ada", "Grace", "Linus"]);
});

test("a step that nobody waits for is carried out by itself when no other comes", async () => {
  expect(await steps.soon("Ada")).toBe(3);
  expect(await steps.now("Grace")).toBe(5);
  expect(runs).toEqual([["Ada"], ["Grace"]]);
});

test("the last step on its way waits for no other; while a commit is under way it does", async () => {
  const turnsUntil = async (runsThen: number): Promise<number> => {
    let turns = 0;
    for (; runs.length < runsThen; turns++) await nextLoopTurn();
    return turns;
  };
  const disk = Promise.withResolvers<void>();
  flushed = disk.promise;
  const first = steps.soon("Ada", true);
  expect(await turnsUntil(1)).toBeLessThan(8);
  const others = [steps.soon("Grace", true), steps.soon("Linus", true)];
  disk.resolve();
  expect(await turnsUntil(2)).toBeGreaterThan(8);
  expect(await Promise.all([first, ...others])).toEqual([3, 5, 5]);
  expect(runs).toEqual([["Ada"], ["Grace", "Linus"]]);
});

test("one that cannot be carried out fails alone; the others are kept once", async () => {
  await steps.now("Ada");
  const outcomes = await Promise.allSettled([steps.now("Grace"), steps.now("Ada"), steps.soon("Linus")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(people()).toEqual(["Ada", "Grace", "Linus"]);
});

test("more than one job may hold are several, in order, each answered", async () => {
  const names = Array.from({ length: 600 }, (_, i) => `reader-${i}`);
  const answers = await Promise.all(names.map((name, i) => (i % 2 ? steps.now(name) : steps.soon(name))));
  expect(answers).toEqual(names.map((name) => name.length));
  expect(runs.map((run) => run.length)).toEqual([256, 256, 88]);
  expect(people()).toEqual(names);
});
