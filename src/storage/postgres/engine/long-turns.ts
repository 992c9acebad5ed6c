import { atMostAtOnce, type Turns } from "#storage/common/engine/at-most-at-once.ts";
import { shortTurnFirst, type TimedTurns } from "#storage/common/engine/short-turn-first.ts";

/**
 * What a node does of what takes long. A process has few connections, and who finds none free waits behind all who came
 * before. So of those for requests and jobs, two are left for everybody else.
 */
export type LongTurns = {
  /** Questions that may read every contact of a workspace, and those that settle a campaign's audience. */
  readonly questions: TimedTurns;
  /** A stretch of a plan is one statement of some seconds. */
  readonly stretches: Turns;
};

export function longTurns(): LongTurns {
  const questions = atMostAtOnce(2);
  const long = atMostAtOnce(1);
  return {
    // A long one has one of the two places, so the other one is there for all who ask little.
    questions: shortTurnFirst(questions, (workspace, work) =>
      long(workspace, () => questions(workspace, work)),
    ),
    stretches: atMostAtOnce(2),
  };
}
