import { StorageError } from "#core/errors/storage-error.ts";
import { QuestionTooLong } from "#core/errors/question-too-long.ts";
import { sqlStateOf } from "#storage/postgres/engine/failures.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { TimedTurn, TimedTurns } from "#storage/common/engine/short-turn-first.ts";

/**
 * Asks something that may read every contact of a workspace, in a snapshot of its own, when its turn has come.
 * @throws QuestionTooLong if an answer takes longer than is allowed
 */
export type LongQuestions = <T>(workspace: number, ask: (session: Session) => Promise<T>) => Promise<T>;

/**
 * A statement may take as long as its turn. It may use more memory than others, because sets of contacts are
 * looked up in it. Compiling it takes longer than running it, and it is planned for its own values.
 */
export const longSettings = ({ limitMs }: TimedTurn): string =>
  `SELECT set_config('statement_timeout', '${limitMs}ms', true), set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('cursor_tuple_fraction', '1', true)`;

/** @param turns those of everybody who asks so much: connections are left for the others */
export const longQuestions =
  ({ snapshot }: PostgresDatabase, turns: TimedTurns): LongQuestions =>
  (workspace, ask) =>
    turns(workspace, (turn) =>
      snapshot(async (session) => {
        await session.rows(longSettings(turn));
        return await ask(session);
      }).catch((error: unknown) => {
        throw tooLongOr(error);
      }),
    );

/** PostgreSQL's SQLSTATE where `statement_timeout` is over. */
const QUERY_CANCELED = "57014";

/** The error itself, or QuestionTooLong if it is that of a time limit. */
export const tooLongOr = (error: unknown): unknown =>
  error instanceof StorageError && sqlStateOf(error.cause) === QUERY_CANCELED
    ? new QuestionTooLong(error)
    : error;
