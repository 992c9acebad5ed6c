import { sleep, type Clock } from "#core/time/clock.ts";
import type { Refusal } from "#core/errors/errors.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import { WorkLate } from "#work/pool.ts";
import { TRIES_MAX, TRY_AGAIN_MS } from "#work/tries.ts";

/** The server ends before its plan is complete. The plan is not at fault: another server continues it. */
export class CutOff extends Error {}

/** At its end the server does not wait for the answer. @throws CutOff when `stop` aborts */
export async function unlessCutOff<T>(stop: AbortSignal, ask: () => Promise<T>): Promise<T> {
  if (stop.aborted) throw new CutOff();
  const end = Promise.withResolvers<never>();
  const cutOff = (): void => end.reject(new CutOff());
  stop.addEventListener("abort", cutOff);
  try {
    return await Promise.race([ask(), end.promise]);
  } finally {
    stop.removeEventListener("abort", cutOff);
  }
}

const ASK_AGAIN_MS = 1_000;

type Waits = {
  readonly clock: Clock;
  /** Aborts when the server ends. */
  readonly stop: AbortSignal;
};

/**
 * Asks again until there is an answer. A plan may have been promised to somebody, so it is not given up because the
 * machine is too busy, or the database does not answer for a while.
 *
 * @throws CutOff when `stop` aborts
 */
export async function patiently<T>({ clock, stop }: Waits, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await unlessCutOff(stop, ask);
    } catch (error) {
      if (!hasNoAnswer(error)) throw error;
    }
    await unlessCutOff(stop, () => sleep(clock, ASK_AGAIN_MS));
  }
}

/** `patiently`; a refusal that may pass is asked about again too, a few times. @throws CutOff when `stop` aborts */
export async function patientlyChecked(
  waits: Waits,
  check: () => Promise<Refusal | null>,
): Promise<Refusal | null> {
  for (let times = 1; ; times++) {
    const refusal = await patiently(waits, check);
    if (refusal?.isPassing !== true || times >= TRIES_MAX) return refusal;
    await unlessCutOff(waits.stop, () => sleep(waits.clock, TRY_AGAIN_MS));
  }
}

/** Nothing was asked, or the database does not answer: it may be asked again. */
const hasNoAnswer = (error: unknown): boolean => error instanceof WorkLate || isUnreachable(error);
