/**
 * Does what a stranger's text can make long, in threads with a budget of processor time and memory. So nothing that a
 * stranger sends blocks the event loop, and no letter uses more than its budget. Other threads: `src/threads.ts`.
 *
 *   job --brief--> done in place
 *     '--> waits (in turn, fairly by workspace) --> in a thread --result--> done
 *              ^                                     |--over its budget of processor time or memory--> thread ended
 *              |------------- the first time --------'                                         the second: refused
 *
 * A refusal for memory is passing (`isPassing`): memory is that of the whole process, so the next try may succeed.
 *
 * Time means processor time of the thread, not elapsed time: nothing fails because the machine is busy or
 * stopped. A job that waits far too long for a processor, and every job that the end of the server stops, is
 * rejected with `WorkLate`: the caller should try it again.
 */
import type { Clock } from "#core/time/clock.ts";
import { AppError, type Result } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { BUDGET, type Budget } from "./budget.ts";
import { FairQueue } from "./fair-queue.ts";
import { jobOf, type JobInput, type JobName, type JobOutput } from "./jobs.ts";
import { refused, type Excess } from "./refusals.ts";
import { ThreadAtWork } from "./thread-at-work.ts";

/**
 * Two, so that another workspace still has a thread while one workspace has a long job. Each workspace has
 * only one job running.
 */
const THREADS_MAX = 2;
/** Threads end within milliseconds, except one that is inside a single long call. */
const THREADS_ENDING_MAX = 2;
const IDLE_MS = 20_000;
const INPUT_MAX = 8 * 1024 * 1024;
const WAITING_MAX = 1_000;
const WAITING_OF_WORKSPACE_MAX = 100;
/**
 * A busy machine increases even processor time a little, and memory is measured for the whole process. So one
 * excess may be chance.
 */
const TRIES = 2;

/** The job was not done, and nobody made a mistake: try again. */
export class WorkLate extends AppError {
  /** @param reason why, without what callers of the API are told behind it */
  constructor(readonly reason: string) {
    super("INTERNAL_ERROR", `${reason} Nothing was sent; try again in a moment.`);
  }
}

/** The job was refused for a reason that passes (`isPassing`). `reason` is the refusal's own words. */
export class RefusedForNow extends WorkLate {}

/**
 * The same result: for callers who can try again.
 * @throws RefusedForNow for a refusal that passes
 */
export function lasting<Outcome extends Result<unknown>>(result: Outcome): Outcome {
  if (!result.ok && result.refusal.isPassing) throw new RefusedForNow(result.refusal.message);
  return result;
}

export type Work = {
  /**
   * Does a job, without a thread if it is brief. The author can correct what a refusal names: either the
   * job's own message, or that the job exceeded its budget twice.
   * @throws WorkLate
   */
  run<Name extends JobName>(
    workspaceId: string,
    name: Name,
    input: JobInput<Name>,
  ): Promise<Result<JobOutput<Name>>>;
  /** From now on, letters use this address for files of this service, such as signs of social networks. */
  reachedAt(baseUrl: string): void;
  /** Rejects every job that waits or runs, and ends the threads. */
  stop(): void;
};

type Waiting = {
  readonly workspaceId: string;
  readonly name: JobName;
  readonly input: JobInput<JobName>;
  tries: number;
  settle(result: Result<unknown>): void;
  fail(error: WorkLate): void;
};

type PoolParts = {
  startThread(): Worker;
  readonly clock: Clock;
  readonly log: Log;
  readonly budget?: Budget;
};

export function workPool({ startThread, clock, log, budget = BUDGET }: PoolParts): Work {
  const queue = new FairQueue<Waiting>();
  const threads = threadHouse(startThread, clock);
  const atWork = new Map<ThreadAtWork, Waiting>();
  /** Workspaces with a job in a thread, even in one that is about to end. */
  const served = new Set<string>();
  let stopped = false;
  let baseUrl = "";

  const next = (): void => {
    while (atWork.size < THREADS_MAX && queue.length > 0) {
      const waiting = queue.take((workspaceId) => !served.has(workspaceId));
      if (waiting === null) return;
      const thread = mayStart(waiting, [...atWork.values()]) ? threads.take() : null;
      if (thread === null) return queue.add(waiting);
      void work(thread, waiting);
    }
  };

  const work = async (thread: ThreadAtWork, waiting: Waiting): Promise<void> => {
    const { workspaceId, name } = waiting;
    atWork.set(thread, waiting);
    served.add(workspaceId);
    const startedMs = clock.monotonicMs();
    const end = await thread.perform({ name, input: waiting.input, baseUrl }, budget);
    atWork.delete(thread);
    queue.charge(workspaceId, clock.monotonicMs() - startedMs);
    if (stopped) return waiting.fail(new WorkLate("The server is stopping."));
    if ("result" in end) {
      served.delete(workspaceId);
      threads.rest(thread);
      waiting.settle(end.result);
      return next();
    }
    log.warn("a thread was ended", { workspace: workspaceId, job: name, reason: end.ended });
    void endThread(thread, workspaceId);
    retryOrAnswer(waiting, end.ended, queue);
    next();
  };

  /** Until the thread is gone, no other job of the same workspace starts. */
  const endThread = async (thread: ThreadAtWork, workspaceId: string): Promise<void> => {
    await threads.end(thread);
    served.delete(workspaceId);
    next();
  };

  const inThread: InThread = (workspaceId, name, input) => {
    if (stopped) throw new WorkLate("The server is stopping.");
    if (queue.length >= WAITING_MAX || queue.lengthOf(workspaceId) >= WAITING_OF_WORKSPACE_MAX)
      throw new WorkLate("Too much is waiting to be made.");
    return new Promise<Result<unknown>>((settle, fail) => {
      queue.add({ workspaceId, name, input, tries: 0, settle, fail });
      next();
    });
  };

  return {
    run: (workspaceId, name, input) => run({ inThread, baseUrl }, workspaceId, name, input),
    reachedAt: (address) => void (baseUrl = address),
    stop() {
      stopped = true;
      for (const { fail } of queue.clear()) fail(new WorkLate("The server is stopping."));
      for (const thread of [...threads.takeIdle(), ...atWork.keys()]) void thread.end();
    },
  };
}

type InThread = (workspaceId: string, name: JobName, input: JobInput<JobName>) => Promise<Result<unknown>>;

async function run<Name extends JobName>(
  { inThread, baseUrl }: { readonly inThread: InThread; readonly baseUrl: string },
  workspaceId: string,
  name: Name,
  input: JobInput<Name>,
): Promise<Result<JobOutput<Name>>> {
  const { about, sizeOf, isBrief } = jobOf(name);
  if (sizeOf(input) > INPUT_MAX) return refused(about, "size");
  const done =
    (isBrief(input) && (await inPlace(name, input, baseUrl))) || (await inThread(workspaceId, name, input));
  // A job's output goes with its name, as `JOBS` says.
  return done as Result<JobOutput<Name>>;
}

/** A second attempt runs alone, so that no other job's memory is counted as its own. */
const mayStart = ({ tries }: Waiting, atWork: readonly Waiting[]): boolean =>
  atWork.length === 0 || (tries === 0 && atWork.every((other) => other.tries === 0));

/** Puts a job whose thread was ended in the queue again. If it has no further try, it is answered. */
function retryOrAnswer(
  waiting: Waiting,
  ended: Excess | "late",
  queue: Pick<FairQueue<Waiting>, "add">,
): void {
  if (ended === "late") waiting.fail(new WorkLate("The machine is too busy."));
  else if (++waiting.tries < TRIES) queue.add(waiting);
  else waiting.settle(refused(jobOf(waiting.name).about, ended));
}

/** Starts threads, keeps those without a job for a while, and ends them. */
function threadHouse(startThread: () => Worker, clock: Clock) {
  const idle: ThreadAtWork[] = [];
  let ending = 0;
  const letGo = (thread: ThreadAtWork): void => {
    idle.splice(idle.indexOf(thread), 1);
    void thread.end();
  };
  return {
    /** Null: too many are about to end, and a new one would come on top of them. */
    take(): ThreadAtWork | null {
      for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
        if (!kept.isGone) return kept;
        void kept.end();
      }
      return ending >= THREADS_ENDING_MAX ? null : new ThreadAtWork(startThread(), clock);
    },
    takeIdle: (): ThreadAtWork[] => idle.splice(0),
    async end(thread: ThreadAtWork): Promise<void> {
      ending++;
      await thread.end();
      ending--;
    },
    rest(thread: ThreadAtWork): void {
      idle.push(thread);
      thread.restUntil(IDLE_MS, () => letGo(thread));
    },
  };
}

/** Null: the job is not as brief as it looked. */
async function inPlace(name: JobName, input: unknown, baseUrl: string): Promise<Result<unknown> | null> {
  try {
    return await jobOf(name).perform(input, LITTLE, baseUrl);
  } catch (error) {
    if (error instanceof NeedsThread) return null;
    throw error;
  }
}
