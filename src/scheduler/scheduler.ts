import type { Clock, Instant } from "#core/clock.ts";
import type { Log } from "#log.ts";

/** Something that is due at times of its own. */
export type Task = {
  readonly name: string;
  /** Does what is due now; called at least every `LOOK_EVERY_MS`. */
  run(): Promise<void>;
  /** When the next thing is due, if that is known. */
  nextDueAt(): Promise<Instant | null>;
};

/** Other processes change the database too (the command line), so nothing waits longer than this to be noticed. */
const LOOK_EVERY_MS = 1_000;

export type Scheduler = { start(): void; stop(): Promise<void> };

/** One timer: runs what is due, sleeps until the next due time. A task that throws is logged, and never stops the others. */
export function scheduler(tasks: readonly Task[], clock: Clock, log: Log): Scheduler {
  let cancel: (() => void) | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const runTask = async (task: Task): Promise<Instant | null> => {
    try {
      await task.run();
      return await task.nextDueAt();
    } catch (error) {
      log.error("a scheduled task failed; it is tried again", { task: task.name, error });
      return null;
    }
  };

  const tick = async (): Promise<void> => {
    const dueAt = await Promise.all(tasks.map(runTask));
    if (stopped) return;
    const next = Math.min(...dueAt.map((at) => at ?? Infinity), clock.now() + LOOK_EVERY_MS);
    cancel = clock.setTimer(Math.max(10, next - clock.now()), () => {
      running = tick();
    });
  };

  return {
    start() {
      running = tick();
    },
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
