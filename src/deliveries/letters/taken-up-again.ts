import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { putLast } from "#core/remembered.ts";
import type { Letter, LetterOf } from "#deliveries/letter.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { RefusedForNow } from "#work/pool.ts";

/**
 * How often a letter is compiled that is refused for now each time, and the pause between two tries. A letter that
 * really needs too much memory must end, and must not be compiled at each look for work.
 */
const TRIES_MAX = 3;
const PAUSE_MS = MINUTE_MS;
const MAILINGS_MAX = 1_000;

/** `isLast`: the refusal counts, and the letter says so message by message. @throws WorkLate */
type Compile = (mailing: MailingUnderWay, isLast: boolean) => Promise<Letter>;

/**
 * A letter that was refused for now is compiled again after a pause, because all messages of its mailing would fail
 * with it. Until then its mailing waits.
 */
export function takenUpAgain(clock: Clock, compile: Compile): LetterOf {
  const tried = new Map<number, { times: number; error: RefusedForNow; againMs: number }>();
  return async (mailing) => {
    const { number } = mailing;
    const last = tried.get(number);
    if (last !== undefined && clock.monotonicMs() < last.againMs) throw last.error;
    const times = (last?.times ?? 0) + 1;
    try {
      const letter = await compile(mailing, times >= TRIES_MAX);
      tried.delete(number);
      return letter;
    } catch (error) {
      if (error instanceof RefusedForNow)
        putLast(tried, number, { times, error, againMs: clock.monotonicMs() + PAUSE_MS }, MAILINGS_MAX);
      throw error;
    }
  };
}
