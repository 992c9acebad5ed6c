import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { takeNext } from "#storage/common/engine/turns-by-workspace.ts";

/**
 * Asks something that may read every contact of a workspace, in a snapshot of its own. Only some are asked at a
 * time, so that connections are left for everybody else, and the workspaces take turns.
 * @throws StorageError `locked` if an answer takes longer than is allowed
 */
export type LongQuestions = <T>(workspace: number, ask: (session: Session) => Promise<T>) => Promise<T>;

const AT_ONCE = 2;

/**
 * A statement may take minutes, but not forever. It may use more memory than others, because sets of contacts are
 * looked up in it. Compiling it takes longer than running it, and it is planned for its own values.
 */
const SETTINGS = `SELECT set_config('statement_timeout', '300s', true), set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('cursor_tuple_fraction', '1', true)`;

type Waiting = { readonly workspace: number; begin(): void };

export function longQuestions({ snapshot }: PostgresDatabase): LongQuestions {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let served: number | null = null;

  const beginNext = (): void => {
    if (underWay === AT_ONCE) return;
    const next = takeNext(waiting, ({ workspace }) => workspace, served);
    if (next === null) return;
    underWay++;
    served = next.workspace;
    next.begin();
  };

  return async (workspace, ask) => {
    const turn = Promise.withResolvers<void>();
    waiting.push({ workspace, begin: turn.resolve });
    beginNext();
    await turn.promise;
    try {
      return await snapshot(async (session) => {
        await session.rows(SETTINGS);
        return await ask(session);
      });
    } finally {
      underWay--;
      beginNext();
    }
  };
}
