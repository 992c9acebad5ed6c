/**
 * How statements reach the database. Transactions begin here and nowhere else.
 *
 * Two transactions that conflict are no error: PostgreSQL undoes one of them, and its work runs again from the
 * start. So the work of a write may run several times, and it must change nothing but the database.
 *
 * A write holds one of few connections. While it runs it must use only its own session: if every connection held a
 * write that waits for another connection, none would ever become free. Reads have one that no write holds: writes may
 * wait for what another program has locked, and meanwhile people read, and work is looked for.
 */
import { isFull, isOfOne } from "#core/errors/storage-error.ts";
import { isConflict, isLostConnection, storageErrorOf } from "./failures.ts";
import { atMostAtOnce } from "#storage/common/engine/at-most-at-once.ts";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";
import type { Pool } from "./pool.ts";
import { sessionOver, type Session, type Value, type Work } from "./session.ts";

export type Transactions = {
  /**
   * Reads, with each statement on its own. It runs again if the server has closed the connection, so nobody notices
   * that PostgreSQL was restarted.
   * @throws StorageError if the database fails, and not the statement
   */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Reads from one moment: every statement sees what was committed before the first one, and nothing later.
   * Settings that a statement makes with `SET LOCAL` are valid until it ends. Like `read`, it may run again.
   * @throws StorageError as `read`
   */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction. When this resolves, what it wrote is on the disk.
   * @throws StorageError as `read`; with `unreachable` nobody knows whether it was written
   */
  write<T>(work: (tx: Session) => Promise<T>): Promise<T>;
  /**
   * Like `write`, for the few statements that run for every message: each is planned once per connection, with the
   * indexes, however small its tables were then.
   */
  writeOften<T>(work: (tx: Session) => Promise<T>): Promise<T>;
  /**
   * Calls a procedure that commits what it writes before it answers: a whole transaction in one round trip. It is
   * tried once. Null: there was a conflict with another transaction, and nothing was written.
   * @returns the procedure's INOUT parameters
   * @throws StorageError as `write`; with `unreachable` it may still be carried out
   */
  callOften<Answer>(text: string, values: readonly Value[]): Promise<Answer | null>;
  /** Calls the listener after each commit of this process that has brought such work. */
  onWritten(work: Work, listener: () => void): void;
};

/** Wraps the work of every write: the audit log (audit/audit-writes.ts). */
export type Around = <T>(work: (tx: Session) => Promise<T>) => Promise<Surrounded<T>>;
type Surrounded<T> = {
  readonly work: (tx: Session) => Promise<T>;
  /** Called once the transaction is committed. */
  committed(): void;
  /** Called when the transaction is over, even if it failed. */
  ended(): void;
};

/** If one write has more conflicts in a row, something is wrong with it. */
const CONFLICTS_MAX = 20;
/** If the server ends all connections, each is noticed only when used. There are fewer than this. */
const LOST_CONNECTIONS_MAX = 20;

/** Writes take turns one by one, whoever's they are. */
const ALL = 0;

/** The connections of a process. */
export type Clients = {
  readonly client: Pool;
  /** For statements that run for every message. */
  readonly often: Pool;
  /** How many connections of `client` writes may hold: fewer than there are, where reads must not wait for writes. */
  readonly writesMax: number;
};

const READ_ONLY = "ISOLATION LEVEL REPEATABLE READ READ ONLY";

export function transactions(
  { client, often, writesMax }: Clients,
  around: Around,
  faults: StorageFaults,
): Transactions {
  const pool = sessionOf(client);
  const inTurn = atMostAtOnce(writesMax);
  const listeners: { readonly work: Work; readonly listener: () => void }[] = [];

  const failed = (error: unknown): unknown => {
    const known = storageErrorOf(error);
    return known === null || isOfOne(known) ? (known ?? error) : faults.writeFailed(known);
  };

  const committing = async <T>(on: Pool, { work, committed }: Surrounded<T>): Promise<T> => {
    for (let conflicts = 0, lost = 0; ;) {
      let hasBegun = false;
      try {
        const { value, brought } = await begin(on, (tx) => {
          hasBegun = true;
          return work(tx);
        });
        committed();
        wrote(faults);
        for (const { listener } of listeners.filter((one) => brought.has(one.work))) listener();
        return value;
      } catch (error) {
        if (!hasBegun && isLostConnection(error) && lost++ < LOST_CONNECTIONS_MAX) continue;
        if (isConflict(error) && conflicts++ < CONFLICTS_MAX) continue;
        throw failed(error);
      }
    }
  };

  const writing =
    (on: Pool): Transactions["write"] =>
    async (work) => {
      const surrounded = await around(work);
      try {
        return await committing(on, surrounded);
      } finally {
        surrounded.ended();
      }
    };

  return {
    read: (work) => reading(failed, () => work(pool)),

    snapshot: (work) => reading(failed, async () => (await begin(client, work, READ_ONLY)).value),

    write: (work) => inTurn(ALL, () => writing(client)(work)),
    writeOften: writing(often),

    async callOften<Answer>(text: string, values: readonly Value[]) {
      const called = sessionOf(often).row<Answer>(text, values);
      const answer = await called.catch((error: unknown) => {
        if (isConflict(error)) return null;
        throw failed(error);
      });
      wrote(faults);
      return answer;
    },

    onWritten: (work, listener) => void listeners.push({ work, listener }),
  };
}

/** What fits into pages that are there is written on a full disk too, so only a probe finds that it has room. */
function wrote(faults: StorageFaults): void {
  if (!isFull(faults.current)) faults.writeWorks();
}

/** Each statement on whichever connection is free. */
export const sessionOf = ({ client, ask }: Pool): Session => sessionOver(client, undefined, ask);

/** Reads again if the server has closed the connection. */
async function reading<T>(failed: (error: unknown) => unknown, work: () => Promise<T>): Promise<T> {
  for (let lost = 0; ; lost++) {
    try {
      return await work();
    } catch (error) {
      if (!isLostConnection(error) || lost === LOST_CONNECTIONS_MAX) throw failed(error);
    }
  }
}

type Begun<T> = { readonly value: T; readonly brought: ReadonlySet<Work> };

/** The driver would treat an array as promises to wait for, so the value is returned separately. */
async function begin<T>(on: Pool, work: (tx: Session) => Promise<T>, options = ""): Promise<Begun<T>> {
  const brought = new Set<Work>();
  let done: Begun<T> | undefined;
  await on.begin(options, async (tx, ask) => {
    done = { value: await work(sessionOver(tx, (one) => void brought.add(one), ask)), brought };
  });
  if (done === undefined) throw new Error("Fault in Postrider: a transaction without its work.");
  return done;
}
