import { takeNext } from "./turns-by-workspace.ts";

/** Does what takes seconds or minutes when its turn has come. Never ask in a turn for another of the same kind. */
export type Turns = <T>(workspace: number, work: () => Promise<T>) => Promise<T>;

type Waiting = { readonly workspace: number; begin(): void };

/** Only so many at a time. Workspaces take turns, so that nobody waits for all that another has asked for. */
export function atMostAtOnce(atOnce: number): Turns {
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
