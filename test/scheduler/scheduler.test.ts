import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Instant } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import { scheduler, type Scheduler, type Task } from "#scheduler/scheduler.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { manualClock, type ManualClock } from "../support/common/manual-clock.ts";

let clock: ManualClock;
let logged: string[];
let running: Scheduler | null;

beforeEach(() => {
  clock = manualClock();
  logged = [];
  running = null;
});
afterEach(() => running?.stop());

/** Starts these tasks, and lets everything that waits for no timer happen. */
async function start(...tasks: Task[]): Promise<void> {
  const log = createLog({ level: "debug", format: "json", clock, write: (line) => logged.push(line) });
  running = scheduler(tasks, clock, log);
  running.start();
  await nextLoopTurn();
}

async function advance(byMs: number): Promise<void> {
  clock.advance(byMs);
  await nextLoopTurn();
}

/** A task that notes when it ran, since the start. */
function task(name: string, options: { due?: () => Instant | null; run?: () => Promise<void> } = {}) {
  const startAt = clock.now();
  const ranAt: number[] = [];
  const { due = () => null, run = async () => {} } = options;
  return {
    name,
    ranAt,
    async run() {
      ranAt.push(clock.now() - startAt);
      await run();
    },
    nextDueAt: async () => due(),
  };
}

describe("a task that is woken", () => {
  test("runs at once, without a timer, and keeps its rhythm from then on", async () => {
    const [idle, other] = [task("idle"), task("other")];
    await start(idle, other);
    await advance(400);
    running!.wake("idle");
    await nextLoopTurn();
    expect([idle.ranAt, other.ranAt]).toEqual([[0, 400], [0]]);
    await advance(600);
    expect([idle.ranAt, other.ranAt]).toEqual([
      [0, 400],
      [0, 1_000],
    ]);
    await advance(400);
    expect(idle.ranAt).toEqual([0, 400, 1_400]);
  });

  test("while it runs, runs once more and no more", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = task("slow", { run: () => promise });
    await start(slow);
    for (let i = 0; i < 3; i++) running!.wake("slow");
    expect(slow.ranAt).toEqual([0]);
    resolve();
    await nextLoopTurn();
    expect(slow.ranAt).toEqual([0, 0]);
  });

  test("does nothing after the stop", async () => {
    const idle = task("idle");
    await start(idle);
    await running!.stop();
    running!.wake("idle");
    await nextLoopTurn();
    expect(idle.ranAt).toEqual([0]);
  });
});

describe("a scheduler", () => {
  test("runs every task at once, and looks again after a second where nothing is known to be due", async () => {
    const idle = task("idle");
    await start(idle);
    expect(idle.ranAt).toEqual([0]);
    await advance(999);
    expect(idle.ranAt).toEqual([0]);
    await advance(1);
    expect(idle.ranAt).toEqual([0, 1_000]);
    await advance(1_000);
    expect(idle.ranAt).toEqual([0, 1_000, 2_000]);
  });

  test("sleeps until the next due time, never past it", async () => {
    const dueAt = clock.now() + 350;
    const soon = task("soon", { due: () => (clock.now() < dueAt ? dueAt : null) });
    await start(soon);
    await advance(349);
    expect(soon.ranAt).toEqual([0]);
    await advance(1);
    expect(soon.ranAt).toEqual([0, 350]);
  });

  test("looks every second although the next due time is far: somebody may have changed it meanwhile", async () => {
    const later = task("later", { due: () => clock.now() + 3_600_000 });
    await start(later);
    for (let second = 1; second <= 5; second++) await advance(1_000);
    expect(later.ranAt).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  test("gives the others room although a task is always due, or was due long ago", async () => {
    const greedy = task("greedy", { due: () => 0 });
    const patient = task("patient");
    await start(greedy, patient);
    for (let step = 0; step < 1_000; step++) await advance(1);
    expect(greedy.ranAt.length).toBeLessThanOrEqual(101);
    expect(greedy.ranAt.length).toBeGreaterThanOrEqual(100);
    expect(patient.ranAt).toEqual([0, 1_000]);
  });

  test.each([
    [
      "throws",
      async () => {
        throw new Error("the task broke");
      },
    ],
    [
      "throws before it waits",
      () => {
        throw new Error("the task broke");
      },
    ],
  ] as [string, () => Promise<void>][])(
    "a task that %s is logged, tried again, and stops none of the others",
    async (_name, run) => {
      const broken = task("broken", { run });
      const sound = task("sound");
      await start(broken, sound);
      await advance(1_000);
      await advance(1_000);
      expect([broken.ranAt, sound.ranAt]).toEqual([
        [0, 1_000, 2_000],
        [0, 1_000, 2_000],
      ]);
      expect(
        logged
          .map((line) => JSON.parse(line))
          .filter(({ level, task: name }) => level === "error" && name === "broken").length,
      ).toBe(3);
      expect(logged[0]).toContain("the task broke");
    },
  );

  test("a task that cannot say when it is due again is asked again after a second", async () => {
    const confused = task("confused", {
      due: () => {
        throw new Error("who knows");
      },
    });
    await start(confused);
    await advance(1_000);
    expect(confused.ranAt).toEqual([0, 1_000]);
  });

  test("says of each task how long ago it last gave a sign of life", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let alive = (): void => {};
    const hanging = { name: "hanging", run: () => promise, nextDueAt: async () => null };
    const busy: Task = {
      name: "busy",
      run: (signOfLife) => ((alive = signOfLife), promise),
      nextDueAt: async () => null,
    };
    await start(hanging, busy, task("idle"));
    await advance(60_000);
    alive();
    await advance(40_000);
    expect(running!.ticks().filter(({ task: name }) => name !== "idle")).toEqual([
      { task: "hanging", ageMs: 100_000 },
      { task: "busy", ageMs: 40_000 },
    ]);
    resolve();
  });

  test("a task that takes long keeps nobody waiting, and is not run a second time meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = task("slow", { run: () => promise });
    const quick = task("quick");
    await start(slow, quick);
    for (let second = 0; second < 5; second++) await advance(1_000);
    expect(quick.ranAt.length).toBe(6);
    expect(slow.ranAt).toEqual([0]);
    resolve();
    await nextLoopTurn();
    await advance(1_000);
    expect(slow.ranAt).toEqual([0, 6_000]);
  });

  test.each([
    ["a week forward", 7 * 24 * 3_600_000],
    ["a week back", -7 * 24 * 3_600_000],
  ])("whose wall clock jumps %s looks again within a second", async (_name, byMs) => {
    let jump = 0;
    const wall = clock.now;
    clock.now = () => wall() + jump;
    const dueAt = clock.now() + 500;
    const soon = task("soon", { due: () => dueAt });
    const idle = task("idle");
    await start(soon, idle);
    jump = byMs;
    for (let step = 0; step < 100; step++) await advance(10);
    expect(idle.ranAt.length).toBe(2);
    expect(soon.ranAt.length).toBeGreaterThanOrEqual(2);
  });
});

describe("stopping", () => {
  test("waits for what is running", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = task("slow", { run: () => promise });
    await start(slow);
    let isStopped = false;
    const stop = running!.stop().then(() => (isStopped = true));
    await nextLoopTurn();
    expect(isStopped).toBe(false);
    resolve();
    await stop;
    expect(isStopped).toBe(true);
  });

  test("leaves no timer behind, and nothing runs afterwards", async () => {
    const [one, other] = [task("one"), task("other", { due: () => clock.now() + 5 })];
    await start(one, other);
    await running!.stop();
    expect(clock.pending).toBe(0);
    await advance(10_000);
    expect([one.ranAt, other.ranAt]).toEqual([[0], [0]]);
  });

  test("while a task runs: it is not set up again when it ends", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = task("slow", { run: () => promise });
    await start(slow);
    const stop = running!.stop();
    resolve();
    await stop;
    await advance(10_000);
    expect([clock.pending, slow.ranAt]).toEqual([0, [0]]);
  });

  test("is fine before the start, and twice", async () => {
    const idle = task("idle");
    const never = scheduler([idle], clock, SILENT_LOG);
    await never.stop();
    await never.stop();
    expect(idle.ranAt).toEqual([]);
  });
});
