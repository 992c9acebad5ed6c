import type { Clock, Instant } from "#core/time/clock.ts";
import type { Log } from "#log.ts";

/** Work that is due at times which the task itself knows. */
export type Task = {
  readonly name: string;
  /**
   * Does what is due now. Called at least every `LOOK_EVERY_MS`. Long work calls `signOfLife` after each
   * piece.
   */
  run(signOfLife: () => void): Promise<void>;
  /** When the next work is due, if that is known. */
  nextDueAt(): Promise<Instant | null>;
};

/**
 * Other processes (the command line) also change the database. This is the longest time until the server
 * notices.
 */
const LOOK_EVERY_MS = 1_000;

/** The pause of a task that is always due, so that other tasks can run. */
const REST_MS = 10;

/** A task, and how long ago it last showed that it is alive. */
type Tick = { readonly task: string; readonly ageMs: number };

export type Scheduler = {
  start(): void;
  stop(): Promise<void>;
  /** Says that the named task has work: it runs at once, or once more if it is running. */
  wake(name: string): void;
  /**
   * One for each task. A task whose age only grows hangs. Before `start`, ages count from when the scheduler
   * was made.
   */
  ticks(): readonly Tick[];
};

/**
 * Runs what is due, then sleeps until the next due time. Each task has its own cycle: if one throws, the
 * error is logged, and neither that task nor a slow one delays the others.
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
      // Before the start there is no timer, and the start runs the task anyway.
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
