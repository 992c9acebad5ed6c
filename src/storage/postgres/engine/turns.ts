import { takeNext } from "#storage/common/engine/turns-by-workspace.ts";

/** Does what takes seconds or minutes when its turn has come. Never ask for a turn in a turn. */
export type Turns = <T>(workspace: number, work: () => Promise<T>) => Promise<T>;

type Waiting = { readonly workspace: number; begin(): void };

/**
 * Only so many at a time, because a process has few connections, and who finds none free waits behind all who came
 * before. Workspaces take turns.
 */
export function turns(atOnce: number): Turns {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let served: number | null = null;

  const beginNext = (): void => {
    if (underWay === atOnce) return;
    const next = takeNext(waiting, ({ workspace }) => workspace, served);
    if (next === null) return;
    underWay++;
    served = next.workspace;
    next.begin();
  };

  return async (workspace, work) => {
    const turn = Promise.withResolvers<void>();
    waiting.push({ workspace, begin: turn.resolve });
    beginNext();
    await turn.promise;
    try {
      return await work();
    } finally {
      underWay--;
      beginNext();
    }
  };
}

/** What a node does of it. Of its connections for requests and jobs, two are left for everybody else. */
export type LongTurns = {
  /** Questions that may read every contact of a workspace, and those that settle a campaign's audience. */
  readonly questions: Turns;
  /** A stretch of a plan is one statement of some seconds. */
  readonly stretches: Turns;
};

export const longTurns = (): LongTurns => ({ questions: turns(2), stretches: turns(2) });
