import { QuestionTooLong } from "#core/errors/question-too-long.ts";
import type { Turns } from "./at-most-at-once.ts";

/** How long a piece of work may take in this turn; after that it throws `QuestionTooLong`. */
export type TimedTurn = { readonly isShort: boolean; readonly limitMs: number };

/** Does what may read every contact of a workspace when its turn has come: see `shortTurnFirst`. */
export type TimedTurns = <T>(workspace: number, work: (turn: TimedTurn) => Promise<T>) => Promise<T>;

/** Nearly every answer comes in a second, also among a million contacts, and fifty conditions in some. */
const SHORT: TimedTurn = { isShort: true, limitMs: 10_000 };
/** It may take minutes, but not forever, because others who ask so much get no answer meanwhile. */
const LONG: TimedTurn = { isShort: false, limitMs: 5 * 60_000 };

/**
 * Gives each piece of work a short turn. What is not done by then begins anew in a long one, beside the short ones:
 * whoever asks little waits for seconds, however much others ask. Nobody can tell before how long it takes.
 * @param short the short turns
 * @param long the long turns: so few that they never take all the places of the short ones
 */
export const shortTurnFirst =
  (short: Turns, long: Turns): TimedTurns =>
  async (workspace, work) => {
    try {
      return await short(workspace, () => work(SHORT));
    } catch (error) {
      if (!(error instanceof QuestionTooLong)) throw error;
    }
    return await long(workspace, () => work(LONG));
  };
