import type { SQL } from "bun";
import type { Awaited, Line } from "./awaited.ts";

/** Has a statement run, and waits for its answer. */
export type Ask = <T>(statement: (on: SQL) => PromiseLike<T>) => Promise<T>;

/**
 * The connections of one kind. Whoever asks something has a connection alone until the answer is there. The driver would
 * also send statements behind others; then nobody would know which of them waits for PostgreSQL (awaited.ts).
 */
export type Pool = {
  readonly client: SQL;
  readonly ask: Ask;
  /** `ask` of the work is for statements of the transaction. */
  begin(options: string, work: (tx: SQL, ask: Ask) => Promise<void>): Promise<void>;
};

/** @param first what each transaction runs before its work; null: nothing */
export function poolOver(client: SQL, { open }: Pick<Awaited, "open">, first: string | null = null): Pool {
  const alone = async <T>(use: (on: SQL, line: Line) => Promise<T>): Promise<T> => {
    const connection = await client.reserve();
    const line = open();
    try {
      return await use(connection, line);
    } finally {
      line.end();
      await connection.release();
    }
  };
  return {
    client,
    ask: (statement) => alone((on, line) => answerOf(line, () => statement(on))),
    begin: (options, work) =>
      alone(async (on, line) => {
        let answered = line.asks();
        await on.begin(options, async (tx) => {
          answered();
          const askTx: Ask = (statement) => answerOf(line, () => statement(tx));
          try {
            if (first !== null) await askTx(() => tx.unsafe(first));
            await work(tx, askTx);
          } finally {
            // The driver now commits, or undoes.
            answered = line.asks();
          }
        });
      }),
  };
}

async function answerOf<T>({ asks }: Line, ask: () => PromiseLike<T>): Promise<T> {
  const answered = asks();
  try {
    return await ask();
  } finally {
    answered();
  }
}
