import type { Clock } from "#core/time/clock.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { takeNext } from "#storage/common/engine/turns-by-workspace.ts";
import { AnsweringThread } from "./answering-thread.ts";
import type { SegmentFound, SegmentQuestion } from "./segment-thread.ts";

export type SegmentQueries = {
  /** Answers from the current database, or a later one: everything written before the call is seen. */
  ask(question: SegmentQuestion): Promise<SegmentFound>;
  /** Questions in progress and waiting ones are rejected. */
  close(): void;
};

type Waiting = {
  readonly question: SegmentQuestion;
  resolve(found: SegmentFound): void;
  reject(error: unknown): void;
};

/**
 * Questions about segments, one after the other in a separate thread (`segment-thread.ts`). The workspaces take
 * turns, so that nobody waits for all the questions of another.
 */
export function segmentQueries(
  { sqlite, faults }: Pick<SqliteDatabase, "sqlite" | "faults">,
  startThread: () => Worker,
  clock: Clock,
): SegmentQueries {
  const thread = new AnsweringThread(startThread, clock);
  const waiting: Waiting[] = [];
  let isBusy = false;
  let isClosed = false;

  const workOff = async (): Promise<void> => {
    isBusy = true;
    let served: number | null = null;
    const next = (): Waiting | null => takeNext(waiting, ({ question }) => question.workspace, served);
    for (let turn = next(); turn !== null; turn = next()) {
      served = turn.question.workspace;
      const { resolve, reject, question } = turn;
      await thread
        .answer({ ...question, path: sqlite.filename })
        .then(resolve, (error: unknown) => reject(faults.of(error)));
    }
    isBusy = false;
    if (!isClosed) thread.rest();
  };

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(CLOSED));
        waiting.push({ question, resolve, reject });
        if (!isBusy) void workOff();
      }),

    close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error(CLOSED));
      thread.end(new Error(CLOSED));
    },
  };
}

const CLOSED = "The database is closed.";
