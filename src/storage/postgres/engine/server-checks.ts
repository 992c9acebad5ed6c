/** What a server must be, and what its connections must have, before anything is asked of it. */
import type { SQL } from "bun";
import { present } from "#core/present.ts";
import { checkVersion, DatabaseRefused } from "./refused.ts";

/** What every connection must have. A pooler does not let a client set them: then the role has them already. */
export const SETTINGS = {
  // Every statement sees what was committed before it; what must stay as it was read is locked.
  default_transaction_isolation: "read committed",
  // The promise "at most once" needs each commit on the disk before its dot is sent.
  synchronous_commit: "on",
  // A transaction that nobody ends holds its locks, and keeps old rows from being cleared away.
  idle_in_transaction_session_timeout: "10s",
};

/** '0' is no limit: who holds a lock and is gone, as a machine that froze, would hold it for ever. */
export const HAS_SETTINGS = `current_setting('default_transaction_isolation') = '${SETTINGS.default_transaction_isolation}'
  AND current_setting('synchronous_commit') NOT IN ('off', 'local')
  AND current_setting('idle_in_transaction_session_timeout') <> '0'`;

/** @throws DatabaseRefused where it is too old, or where the connection is not what it must be */
export async function checkServer(client: SQL): Promise<void> {
  const [server]: { version: number; settled: boolean }[] = await client.unsafe(
    `SELECT current_setting('server_version_num')::int4 AS version, ${HAS_SETTINGS} AS settled`,
  );
  const { version, settled } = present(server, "settings of the server");
  checkVersion(version);
  if (!settled)
    throw new DatabaseRefused(
      "The role must have the settings of Postrider: ALTER ROLE … SET default_transaction_isolation = 'read committed', SET synchronous_commit = on, and SET idle_in_transaction_session_timeout = '10s'.",
    );
}

const BACKEND = "SELECT pg_backend_pid() AS pid";

/**
 * All clients call their statements by the same names. A pooler that gives two of them the same connection by turns lets
 * one run what the other has prepared, and it gets wrong answers.
 * @throws DatabaseRefused where such a pooler stands between
 */
export async function checkUnpooled(one: SQL, other: SQL): Promise<void> {
  const held = await Promise.all([one.reserve(), other.reserve()]);
  try {
    const pids: number[] = [];
    // One after the other: a pooler gives the second what the first has just given back. Nothing is prepared for it.
    for (const connection of held) {
      const [backend]: { pid: number }[] = await connection.unsafe(BACKEND).simple();
      pids.push(present(backend, "number of a backend").pid);
    }
    if (pids[0] === pids[1])
      throw new DatabaseRefused(
        "A pooler gives each transaction another connection: set DATABASE_PREPARE=off, or its pool mode to session.",
      );
  } finally {
    await Promise.all(held.map((connection) => connection.release()));
  }
}
