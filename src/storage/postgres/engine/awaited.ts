/**
 * On which connections of this process something waits for an answer. A network may lose one connection and keep the
 * others: then nothing comes on it, not even an error, and what waits there would wait forever.
 *
 * A long wait alone says nothing: a statement may read much, or wait for a lock, and a commit may wait for a standby.
 * So PostgreSQL is asked, on another connection, on how many statements of this process it has been working for long.
 * If it works on fewer than wait, then an answer or a statement was lost. A statement waits on a connection of its own
 * (pool.ts), so both can be counted.
 */

/** Checks, not time: a process that slept, like a laptop's, finds the answers that came meanwhile at its next check. */
const LONG_CHECKS = 16;
/** For so many checks in a row: an answer may be under way just now. */
const DOUBTS = 5;

/** A connection, as long as somebody uses it. */
export type Line = {
  /** Something was asked. Call what it returns when the answer is there. */
  asks(): () => void;
  /** Nobody uses it any more. */
  end(): void;
};

/** @param ms how long PostgreSQL works on a statement at least, to be counted */
type LongAtWork = (ms: number) => Promise<number>;

export type Awaited = {
  open(): Line;
  /**
   * Call it again and again.
   * @param everyMs the pause between two calls
   * @returns whether a connection has been lost for so long that it is certain
   */
  check(everyMs: number, longAtWork: LongAtWork): Promise<boolean>;
  /** Whether something has waited during so many checks. */
  hasWaited(checks: number): boolean;
};

/** How many checks it takes until it is certain. */
export const CHECKS_UNTIL_LOST = LONG_CHECKS + DOUBTS - 1;

type Waiting = { unanswered: number; checks: number };

export function awaited(): Awaited {
  const lines = new Set<Waiting>();
  let doubts = 0;
  const waitingFor = (long: number): number => [...lines].filter(({ checks }) => checks >= long).length;

  return {
    open() {
      const line: Waiting = { unanswered: 0, checks: 0 };
      lines.add(line);
      return {
        asks() {
          line.unanswered++;
          line.checks = 0;
          return () => {
            line.unanswered--;
            line.checks = 0;
          };
        },
        end: () => void lines.delete(line),
      };
    },
    async check(everyMs, longAtWork) {
      for (const line of lines) if (line.unanswered > 0) line.checks++;
      if (waitingFor(LONG_CHECKS) === 0) {
        doubts = 0;
        return false;
      }
      // Less than they have waited: PostgreSQL may have got a statement late.
      const atWork = await longAtWork((LONG_CHECKS - DOUBTS) * everyMs);
      // Counted after the answer: what was answered meanwhile waits no more.
      doubts = waitingFor(LONG_CHECKS) > atWork ? doubts + 1 : 0;
      return doubts >= DOUBTS;
    },
    hasWaited: (checks) => waitingFor(checks) > 0,
  };
}
