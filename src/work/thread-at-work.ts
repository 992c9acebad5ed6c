import type { Clock } from "#core/time/clock.ts";
import { residentBytes } from "#core/resident-bytes.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Budget } from "./budget.ts";
import type { Order, Report } from "./thread.ts";
import { threadTimeMs } from "./thread-time.ts";

/** How a job ended: with a result, or with the end of its thread. */
export type Ending =
  | { readonly result: Result<unknown> }
  | { readonly ended: "time" | "memory" | "crash" | "late" };

const LOOK_EVERY_MS = 50;

/** One thread. It does one job at a time and is watched while it does. */
export class ThreadAtWork {
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #isReady = false;
  #isGone = false;
  #number: number | null = null;
  #answer: (ending: Ending) => void = () => undefined;
  #cancelRest = (): void => undefined;

  constructor(
    private readonly thread: Worker,
    private readonly clock: Clock,
  ) {
    thread.addEventListener("message", ({ data }: MessageEvent<Report>) => {
      if ("result" in data) return this.#answer(data);
      this.#number = data.thread;
      this.#isReady = true;
      this.#ready.resolve();
    });
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      this.#crashed();
    });
    thread.addEventListener("close", () => {
      this.#isGone = true;
      this.#closed.resolve();
      this.#crashed();
    });
  }

  /** It ended by itself: a job would wait in it until its budget is over. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** A thread that failed before it was ready says nothing against the job. */
  #crashed(): void {
    this.#answer({ ended: this.#isReady ? "crash" : "late" });
  }

  /** Does a job. Unless it ends with a result, the caller must end the thread. */
  async perform(order: Order, budget: Budget): Promise<Ending> {
    this.#cancelRest();
    // A thread alone keeps no process alive, but a command that waits for its job must not end.
    this.thread.ref();
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.#answer = resolve;
    await Promise.race([this.#ready.promise, promise]);
    const unwatch = this.#watch(budget, resolve);
    this.thread.postMessage(order, []);
    const ending = await promise;
    unwatch();
    this.#answer = () => undefined;
    this.thread.unref();
    return ending;
  }

  /** The thread has no work: calls `over` after `ms` unless a job comes first. */
  restUntil(ms: number, over: () => void): void {
    this.#cancelRest = this.clock.setTimer(ms, over);
  }

  /**
   * Resolves when the thread is gone. If it is inside a single long call, such as a regular expression, it
   * ends only after that call.
   */
  end(): Promise<void> {
    this.#cancelRest();
    this.#crashed();
    this.thread.terminate();
    return this.#closed.promise;
  }

  /**
   * Checks again and again how much the job has used. If the system does not report a thread's time, each
   * check counts only the pause before it. While it does not report the memory, only the time counts. Memory counts
   * from the lowest figure: a thread that was ended gives its own back piece by piece, while this job has begun.
   */
  #watch(budget: Budget, over: (ending: Ending) => void): () => void {
    const { clock } = this;
    const startMs = clock.monotonicMs();
    const startTimeMs = threadTimeMs(this.#number);
    let leastMemory = residentBytes();
    let looks = 0;
    let cancel = (): void => undefined;
    const look = (): void => {
      looks++;
      const timeMs = threadTimeMs(this.#number);
      const spentMs = timeMs === null || startTimeMs === null ? looks * LOOK_EVERY_MS : timeMs - startTimeMs;
      if (spentMs > budget.cpuMs) return over({ ended: "time" });
      const memory = residentBytes();
      if (memory !== null) {
        leastMemory = Math.min(leastMemory ?? memory, memory);
        if (memory - leastMemory > budget.memoryBytes) return over({ ended: "memory" });
      }
      if (clock.monotonicMs() - startMs > budget.lateMs) return over({ ended: "late" });
      cancel = clock.setTimer(LOOK_EVERY_MS, look);
    };
    cancel = clock.setTimer(LOOK_EVERY_MS, look);
    return () => cancel();
  }
}
