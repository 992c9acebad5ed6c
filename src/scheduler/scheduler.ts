import type { Clock, Instant } from "#core/clock.ts";
import type { Log } from "#log.ts";

/** Something that is due at times of its own. */
export type Task = {
  readonly name: string;
  /** Does what is due now; called at least every `LOOK_EVERY_MS`. What takes long gives a sign of life at each piece of it. */
  run(signOfLife: () => void): Promise<void>;
  /** When the next thing is due, if that is known. */
  nextDueAt(): Promise<Instant | null>;
};

/** Other processes change the database too (the command line), so nothing waits longer than this to be noticed. */
const LOOK_EVERY_MS = 1_000;

/** A task that is always due leaves the others room. */
const REST_MS = 10;

/** A task, and how long ago it last gave a sign of life. */
type Tick = { readonly task: string; readonly ageMs: number };

export type Scheduler = {
  start(): void;
  stop(): Promise<void>;
  /** There is something to do for the task of this name: it runs at once, or once more where it is running. */
  wake(name: string): void;
  /** One for each task: an age that grows and grows is a task that hangs. Before `start` they count from when it was made. */
  ticks(): readonly Tick[];
};

/**
 * Runs what is due, sleeps until the next due time. Each task goes round by itself: one that throws is logged, and neither
 * it nor one that takes long keeps the others waiting.
 */
export function scheduler(tasks: readonly Task[], clock: Clock, log: Log): Scheduler {
  const rounds = tasks.map((task) => roundOf(task, clock, log));
  return {
    start: () => rounds.forEach((round) => round.start()),
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
    },
    wake: (name) => rounds.find((round) => round.name === name)?.wake(),
    ticks: () => rounds.map((round) => round.tick()),
  };
}

function roundOf(task: Task, clock: Clock, log: Log) {
  let cancel: (() => void) | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let isRunning = false;
  let isWoken = false;
  let aliveMs = clock.monotonicMs();
  const signOfLife = (): void => {
    aliveMs = clock.monotonicMs();
  };

  const runTask = async (): Promise<Instant | null> => {
    signOfLife();
    try {
      await task.run(signOfLife);
      return await task.nextDueAt();
    } catch (error) {
      log.error("a scheduled task failed; it is tried again", { task: task.name, error });
      return null;
    }
  };

  const isDueAgain = (): boolean => isWoken && !stopped;

  const tick = async (): Promise<void> => {
    let dueAt: Instant | null = null;
    isRunning = true;
    do {
      isWoken = false;
      dueAt = await runTask();
    } while (isDueAgain());
    isRunning = false;
    if (stopped) return;
    const now = clock.now();
    const next = Math.min(dueAt ?? Infinity, now + LOOK_EVERY_MS);
    cancel = clock.setTimer(Math.max(REST_MS, next - now), go);
  };
  const go = (): void => {
    running = tick();
  };

  return {
    name: task.name,
    start: (): void => go(),
    wake(): void {
      isWoken = true;
      // Before the start there is no timer, and the start runs it anyway.
      if (isRunning || stopped || cancel === null) return;
      cancel();
      go();
    },
    tick: (): Tick => ({ task: task.name, ageMs: clock.monotonicMs() - aliveMs }),
    async stop(): Promise<void> {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
