/** What a server and its connections must be like; checked before they are used. */
import type { SQL } from "bun";
import { present } from "#core/present.ts";
import { checkEncoding, checkVersion, DatabaseRefused } from "./refused.ts";

/** The settings of every connection. A pooler does not let a client set them; then the role must have them. */
export const SETTINGS = {
  // Every statement sees what was committed before it; whatever must not change after it was read is locked.
  default_transaction_isolation: "read committed",
  // The promise "at most once" needs each commit on the disk before its dot is sent.
  synchronous_commit: "on",
  // The driver reads bytes, and NULL in arrays, only in this form.
  bytea_output: "hex",
  array_nulls: "on",
  // Our statements have backslashes that are meant as they are.
  standard_conforming_strings: "on",
  // A transaction that is never ended holds its locks, and keeps old rows from being removed.
  idle_in_transaction_session_timeout: "10s",
  // Somebody's psql with an open transaction may have locked a contact. Whoever wants to change it waits, with a connection,
  // and a few who wait would have all that writes may have: nothing would be written, for as long as that psql is open. It
  // is longer than PostgreSQL needs to end what a lost machine has left (below).
  lock_timeout: "30s",
  // PostgreSQL notices within 25 seconds that a node's machine is gone, and ends what it left. By itself it would ask
  // after two hours, and wait a quarter of an hour where it is sending an answer.
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "25s",
};

/** The `lock_timeout` where many share a transaction: if one waits, the others wait as long, and all that come after them. */
export const SHARED_LOCK_TIMEOUT = "8s";

/** The same for one transaction, where its connection does not have it. */
export const WAIT_SHORTLY = `SET LOCAL lock_timeout = '${SHARED_LOCK_TIMEOUT}'`;
/** The same for the call of a procedure, which is a transaction by itself: this value, and the limit with it. */
export const waitingShortly = (value: string): string =>
  `CASE WHEN set_config('lock_timeout', '${SHARED_LOCK_TIMEOUT}', true) IS NOT NULL THEN ${value} END`;

/** '0' means no limit: a client that holds a lock and is gone, like a frozen machine, would hold it forever. */
export const HAS_SETTINGS = `current_setting('default_transaction_isolation') = '${SETTINGS.default_transaction_isolation}'
  AND current_setting('synchronous_commit') NOT IN ('off', 'local')
  AND current_setting('idle_in_transaction_session_timeout') <> '0'
  AND current_setting('bytea_output') = '${SETTINGS.bytea_output}' AND current_setting('array_nulls') = '${SETTINGS.array_nulls}'
  AND current_setting('standard_conforming_strings') = '${SETTINGS.standard_conforming_strings}'`;

/** A standby is read-only too, but whatever is set. */
export const IS_READ_ONLY =
  "current_setting('default_transaction_read_only') = 'on' AND NOT pg_is_in_recovery()";

/** @throws DatabaseRefused if it is too old, or the database or the connection does not have what it must */
export async function checkServer(client: SQL): Promise<void> {
  const [server]: { version: number; encoding: string; closed: boolean; settled: boolean }[] =
    await client.unsafe(
      `SELECT current_setting('server_version_num')::int4 AS version, current_setting('server_encoding') AS encoding,
      ${IS_READ_ONLY} AS closed,
      ${HAS_SETTINGS} AS settled`,
    );
  const { version, encoding, closed, settled } = present(server, "settings of the server");
  checkVersion(version);
  checkEncoding(encoding);
  if (closed)
    throw new DatabaseRefused(
      "default_transaction_read_only is on, so nothing can be written: set it off for Postrider's role (ALTER ROLE … SET default_transaction_read_only = off), or for the database.",
    );
  if (!settled)
    throw new DatabaseRefused(
      "The role must have the settings of Postrider: ALTER ROLE … SET default_transaction_isolation = 'read committed', SET synchronous_commit = on, SET idle_in_transaction_session_timeout = '10s', SET bytea_output = 'hex', SET array_nulls = on, and SET standard_conforming_strings = on. Then let the pooler connect anew (pgbouncer: RECONNECT): connections that it has keep the old ones.",
    );
}

/**
 * A power cut may undo a commit that is not durable. If that was a message's dot, the message would be sent again.
 * @throws DatabaseRefused if the server does not make commits durable
 */
export async function checkDurable(client: SQL): Promise<void> {
  const [server]: { fsync: string }[] = await client.unsafe("SELECT current_setting('fsync') AS fsync");
  if (server?.fsync !== "on")
    throw new DatabaseRefused("PostgreSQL has fsync = off, so a power cut could send mail twice: set it on.");
}

const BACKEND = "SELECT pg_backend_pid() AS pid";

/**
 * All clients use the same names for their prepared statements. If a pooler gives two clients the same connection
 * in turns, one runs what the other has prepared and gets wrong answers.
 * @throws DatabaseRefused if there is such a pooler
 */
export async function checkUnpooled(one: SQL, other: SQL): Promise<void> {
  const held = await Promise.all([one.reserve(), other.reserve()]);
  try {
    const pids: number[] = [];
    // One by one: a pooler gives the second what the first has just given back. Nothing is prepared for it.
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
