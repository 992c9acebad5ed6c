import { atMostAtOnce, type Turns } from "#storage/common/engine/at-most-at-once.ts";

/**
 * What a node does of what takes long. A process has few connections, and who finds none free waits behind all who came
 * before. So of those for requests and jobs, two are left for everybody else.
 */
export type LongTurns = {
  /** Questions that may read every contact of a workspace, and those that settle a campaign's audience. */
  readonly questions: Turns;
  /** A stretch of a plan is one statement of some seconds. */
  readonly stretches: Turns;
};

export const longTurns = (): LongTurns => ({ questions: atMostAtOnce(2), stretches: atMostAtOnce(2) });
