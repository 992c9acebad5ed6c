import { invalid, type Result } from "#core/errors/errors.ts";
import { errorText } from "#core/errors/thrown.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import { jobOf, type JobInput, type JobName } from "./jobs.ts";
import { ownThreadNumber } from "./thread-time.ts";

/** What a thread receives: one job at a time. */
export type Order = {
  readonly name: JobName;
  readonly input: JobInput<JobName>;
  /** Where readers reach this service. */
  readonly baseUrl: string;
};

/** What a thread sends: first that it is ready, with its number; then how each job ended. */
export type Report = { readonly thread: number | null } | { readonly result: Result<unknown> };

/** The code that runs in the thread. */
export function runThread(thread: Worker): void {
  const report = (what: Report): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data }: MessageEvent<Order>) => {
    void perform(data).then((result) => report({ result }));
  });
  report({ thread: ownThreadNumber() });
}

async function perform({ name, input, baseUrl }: Order): Promise<Result<unknown>> {
  try {
    return await jobOf(name).perform(input, FULL, baseUrl);
  } catch (error) {
    // Extremely deep nesting exhausts the stack. That is the letter's own fault, and it would happen again.
    return invalid(`The letter cannot be made: ${errorText(error)}.`);
  }
}
