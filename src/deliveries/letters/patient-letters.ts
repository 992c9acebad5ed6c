import { errorText } from "#core/errors/thrown.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { putLast } from "#core/remembered.ts";
import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { LetterOf } from "#deliveries/letter.ts";
import { WorkLate } from "#work/pool.ts";

const FIRST_PAUSE_MS = 1_000;
const KEPT_MAX = 1_000;

/** The letter's last try failed a moment ago, and its pause is not over. */
export class NotYet extends Error {}

/** Why a mailing has no letter, in the words of reports. `passes`: that ends by itself. */
export type Unmade = { readonly why: string; readonly passes: boolean };

type Failure = Unmade & { readonly pauseMs: number; readonly againMs: number };

/**
 * The letters of mailings, with pauses between the tries of one that cannot be made: from a second up to a minute, as
 * long as its mailing is under way. A fault of ours may be mended, so nobody's message fails by it. But it may stay too,
 * and then a try at each look for work would cost much, fill the log and tell nobody.
 */
export function patientLetters(letterOf: LetterOf, clock: Pick<Clock, "monotonicMs">) {
  const failures = new Map<number, Failure>();

  /** A database that gives no answer is no fault of this letter, and everybody says so. */
  const failed = (number: number, error: unknown): void => {
    if (error instanceof StorageError) return;
    const before = failures.get(number);
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(MINUTE_MS, 2 * before.pauseMs);
    const failure = { ...unmadeBy(error), pauseMs, againMs: clock.monotonicMs() + pauseMs };
    putLast(failures, number, failure, KEPT_MAX);
  };

  const made: LetterOf = async (mailing) => {
    const { number } = mailing;
    if (clock.monotonicMs() < (failures.get(number)?.againMs ?? 0)) throw new NotYet();
    try {
      const letter = await letterOf(mailing);
      failures.delete(number);
      return letter;
    } catch (error) {
      failed(number, error);
      throw error;
    }
  };

  return {
    /** @throws NotYet before its pause is over; else what the last try threw */
    made,
    /** Null: nothing was wrong at its last try. */
    unmade: (mailing: number): Unmade | null => failures.get(mailing) ?? null,
  };
}

const unmadeBy = (error: unknown): Unmade => ({
  why: `The letter cannot be made now. It is tried again every minute, and the log of the server says more. The reason: ${
    error instanceof WorkLate ? error.reason : errorText(error)
  }`,
  passes: error instanceof WorkLate,
});
