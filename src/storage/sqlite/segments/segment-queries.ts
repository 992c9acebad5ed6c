import type { Clock } from "#core/time/clock.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { atMostAtOnce } from "#storage/common/engine/at-most-at-once.ts";
import { shortTurnFirst } from "#storage/common/engine/short-turn-first.ts";
import { AnsweringThread } from "./answering-thread.ts";
import type { SegmentFound, SegmentQuestion } from "./segment-thread.ts";

export type SegmentQueries = {
  /** Answers from the current database, or a later one: everything written before the call is seen. */
  ask(question: SegmentQuestion): Promise<SegmentFound>;
  /** Questions in progress and waiting ones are rejected. */
  close(): void;
};

/**
 * Questions about segments, one after the other in a separate thread (`segment-thread.ts`), and beside it in another one
 * those that take long. The workspaces take turns, so that nobody waits for all the questions of another.
 */
export function segmentQueries(
  { sqlite, faults }: Pick<SqliteDatabase, "sqlite" | "faults">,
  startThread: () => Worker,
  clock: Clock,
): SegmentQueries {
  const threads = {
    short: new AnsweringThread(startThread, clock),
    long: new AnsweringThread(startThread, clock),
  };
  const turns = shortTurnFirst(atMostAtOnce(1), atMostAtOnce(1));
  let isClosed = false;

  return {
    ask: (question) =>
      turns(question.workspace, async ({ isShort, limitMs }) => {
        if (isClosed) throw new Error(CLOSED);
        const thread = isShort ? threads.short : threads.long;
        try {
          return await thread.answer({ ...question, path: sqlite.filename }, limitMs);
        } finally {
          if (!isClosed) thread.rest();
        }
      }).catch((error: unknown) => {
        throw faults.of(error);
      }),

    close() {
      isClosed = true;
      for (const thread of Object.values(threads)) thread.end(new Error(CLOSED));
    },
  };
}

const CLOSED = "The database is closed.";
