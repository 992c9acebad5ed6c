import { invalid, type Result } from "#core/errors.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import { JOBS, type JobInput, type JobName } from "./jobs.ts";
import { ownThreadNumber } from "./thread-time.ts";

/** What a thread is told: one job at a time. */
export type Order = { readonly name: JobName; readonly input: JobInput<JobName> };

/** First that it is there, and under which number; then how each job ended. */
export type Report = { readonly thread: number | null } | { readonly result: Result<unknown> };

/** The thread's own side. */
export function runThread(thread: Worker): void {
  const report = (what: Report): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data }: MessageEvent<Order>) => {
    void perform(data).then((result) => report({ result }));
  });
  report({ thread: ownThreadNumber() });
}

async function perform({ name, input }: Order): Promise<Result<unknown>> {
  const run = JOBS[name].perform as (given: unknown, allowance: typeof FULL) => ReturnType<typeof perform>;
  try {
    return await run(input, FULL);
  } catch (error) {
    // What is nested beyond all reason exhausts the stack: that is the letter's own fault, and it would do so again.
    return invalid(`The letter cannot be made: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
