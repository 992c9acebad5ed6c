import { errorText } from "#core/errors/thrown.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Clock } from "#core/time/clock.ts";
import { growingPauses } from "#core/time/growing-pauses.ts";
import type { LetterOf } from "#deliveries/letter.ts";
import { WorkLate } from "#work/pool.ts";

const KEPT_MAX = 1_000;

/** The letter's last try failed a moment ago, and its pause is not over. */
export class NotYet extends Error {}

/** Why a mailing has no letter, in the words of reports. `passes`: that ends by itself. */
export type Unmade = { readonly why: string; readonly passes: boolean };

/**
 * The letters of mailings, with pauses between the tries of one that cannot be made, as long as its mailing is under
 * way: by a fault of ours nobody's message fails.
 */
export function patientLetters(letterOf: LetterOf, clock: Pick<Clock, "monotonicMs">) {
  const pauses = growingPauses<number, Unmade>(clock, KEPT_MAX);

  const made: LetterOf = async (mailing) => {
    const { number } = mailing;
    if (pauses.isPausing(number)) throw new NotYet();
    try {
      const letter = await letterOf(mailing);
      pauses.succeeded(number);
      return letter;
    } catch (error) {
      // A database that gives no answer is no fault of this letter, and everybody says so.
      if (!(error instanceof StorageError)) pauses.failed(number, unmadeBy(error));
      throw error;
    }
  };

  return {
    /** @throws NotYet before its pause is over; else what the last try threw */
    made,
    /** Null: nothing was wrong at its last try. */
    unmade: (mailing: number): Unmade | null => pauses.why(mailing),
  };
}

const unmadeBy = (error: unknown): Unmade => ({
  why: `The letter cannot be made now. It is tried again every minute, and the log of the server says more. The reason: ${
    error instanceof WorkLate ? error.reason : errorText(error)
  }`,
  passes: error instanceof WorkLate,
});
