/**
 * Reads PostgreSQL while the event loop is blocked, so that a test sees one instant, as in SQLite. It only reads. A
 * write could wait for the lock of a transaction that cannot end before the loop turns.
 */
export type Look = {
  /** int8 is a number, a boolean is 1 or 0, as in SQLite; jsonb is what it holds. */
  rows<T>(statement: string, values: readonly unknown[]): T[];
  end(): void;
};

export type Asked = {
  readonly url: string;
  readonly statement: string;
  readonly values: readonly unknown[];
  readonly answer: SharedArrayBuffer;
};

/** Of an answer: whether it is there, whether it is an error, and how many bytes it has. Then come the bytes. */
export const HEAD = { isThere: 0, isError: 1, bytes: 2, length: 3 } as const;
export const HEAD_BYTES = HEAD.length * Int32Array.BYTES_PER_ELEMENT;

/** More than any test reads. Unused parts take no memory. */
const ANSWER_MAX_BYTES = 32 * 1_048_576;
/** A reader never waits for a lock. Only if the server is gone, it gives up. */
const ANSWERS_WITHIN_MS = 60_000;

export function postgresLook(url: string): Look {
  let thread: Worker | undefined;
  const answer = new SharedArrayBuffer(ANSWER_MAX_BYTES);
  const head = new Int32Array(answer, 0, HEAD.length);
  return {
    rows<T>(statement: string, values: readonly unknown[]) {
      thread ??= started();
      head.fill(0);
      const asked: Asked = { url, statement: inJson(statement), values, answer };
      thread.postMessage(asked, []);
      // The thread may report only now that the previous answer is there.
      while (Atomics.load(head, HEAD.isThere) === 0)
        if (Atomics.wait(head, HEAD.isThere, 0, ANSWERS_WITHIN_MS) === "timed-out")
          throw new Error(`PostgreSQL did not answer: ${statement}`);
      const text = new TextDecoder().decode(new Uint8Array(answer, HEAD_BYTES, head[HEAD.bytes]).slice());
      if (head[HEAD.isError] === 1) throw new Error(`${text}: ${statement}`);
      return JSON.parse(text, asInSqlite) as T[];
    },
    end: () => thread?.terminate(),
  };
}

function started(): Worker {
  const thread = new Worker(new URL("postgres-look-thread.ts", import.meta.url).href);
  thread.unref();
  return thread;
}

const inJson = (statement: string): string =>
  `SELECT coalesce(json_agg(to_json(r)), '[]')::text FROM (${numbered(statement)}) AS r`;

const asInSqlite = (_: string, value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : value;

/** With `$1`, `$2`, … for `?`, or for `?1`, `?2`, …; in literals there is no `?`. */
export function numbered(statement: string): string {
  let count = 0;
  return statement.replaceAll(/\?(\d*)/g, (_, given: string) => `$${given === "" ? ++count : given}`);
}
