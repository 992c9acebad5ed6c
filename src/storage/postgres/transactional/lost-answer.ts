/**
 * A commit whose answer is lost. At the beginning of a request that would leave a closed key, and messages whose
 * letter nobody has: they would stay queued while this node lives. So the request checks what was written, until
 * the database answers, or until the node's lease is over: then other nodes take over (ledger/nodes/registry.ts).
 */
import { sleep, type Clock } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { violates } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import type { BegunSend } from "#transactional/store.ts";

const LOOK_AGAIN_MS = 100;

type Written = Pick<BegunSend, "mailing" | "owed">;

/** What an earlier try of this same request has written; null: nothing. */
type Earlier = (tx: Session) => Promise<Written | null>;

const FIND = `SELECT m.seq AS mailing,
    (SELECT count(*) FROM deliveries AS d WHERE d.mailing = m.seq AND d.state = 'queued') AS owed
  FROM mailings AS m WHERE m.kind = 'transactional' AND m.source_id = $1`;

type Begins<T> = (tx: Session, earlier: Earlier) => Promise<T>;

/**
 * @param id the mailing's source, which no other request has. `work` looks for what exists once it holds its locks.
 * @throws Fenced if other nodes have taken over: nothing is written
 */
export async function beginSurely<T>(
  { write }: Pick<PostgresDatabase, "write">,
  own: OwnNode,
  clock: Clock,
  id: string,
  work: Begins<T>,
): Promise<T> {
  let hasBegun = false;
  const first: Earlier = () => Promise.resolve(null);
  const again: Earlier = (tx) => tx.row<Written>(FIND, [id]);
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await write(async (tx) => {
        hasBegun = true;
        // A node is swept once: nobody would end what is written for it afterwards.
        if (own.number !== null) await holdNode(tx, own);
        return await work(tx, isAgain ? again : first);
      });
    } catch (error) {
      // On a conflict, an earlier try was still running and is committed now.
      const isUnknown = isUnreachable(error);
      const isThere = violates(error, "mailings_kind_source_id_key");
      if (!hasBegun || !(isUnknown || isThere) || isOver(own)) throw error;
      await sleep(clock, LOOK_AGAIN_MS);
    }
  }
}

function isOver(own: OwnNode): boolean {
  if (own.number === null) return true;
  try {
    own.checkLease();
    return false;
  } catch (error) {
    if (error instanceof Fenced) return true;
    throw error;
  }
}
