import type { PostgresServer } from "#core/postgres-server.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";

/** What was read from the server (`storage/postgres/run/inspect.ts`), and how it is reached. */
export type LookedAtPostgres = {
  readonly server: PostgresServer;
  readonly pending: readonly string[] | null;
  readonly host: string;
  /** False: statements are not prepared, for a pooler. */
  readonly prepare: boolean;
  /** DATABASE_FAILOVER. */
  readonly trustsFailover: boolean;
};

const VERSION_MIN = 150_000;
const isHere = (host: string): boolean => /^(localhost|127\.|\[::1\]$)/.test(host);

/** Findings about PostgreSQL, in the order in which to correct them. */
export function checkPostgres(looked: LookedAtPostgres): Finding[] {
  return [schemaFinding(looked), ...serverFindings(looked), replicaFinding(looked), ...wayFindings(looked)];
}

function schemaFinding({ server, pending }: LookedAtPostgres): Finding {
  const check = about("database");
  if (server.versionNumber < VERSION_MIN)
    return fail(check, `PostgreSQL ${server.version} is too old`, "upgrade it to 15 or newer");
  if (server.encoding !== "UTF8")
    return fail(
      check,
      `the database's encoding is ${server.encoding}, which cannot keep every text`,
      "make one with createdb -E UTF8 -T template0",
    );
  if (!server.hasTrigrams)
    return fail(check, "the extension pg_trgm is missing", "install PostgreSQL's contrib package");
  if (server.isStandby)
    return fail(check, "it is a standby, which cannot be written", "name the primary in DATABASE_URL");
  if (server.isReadOnly)
    return fail(
      check,
      "default_transaction_read_only is on, so nothing can be written",
      "set it off for Postrider's role, or for the database",
    );
  if (!server.mayMakeTables && pending?.length !== 0)
    return fail(
      check,
      "the role may not make Postrider's tables",
      "let it own the database, or have its owner run CREATE EXTENSION pg_trgm and GRANT CREATE ON SCHEMA public",
    );
  if (server.hidesTrigrams && pending?.length !== 0)
    return fail(
      check,
      "pg_trgm is in a schema that is not in the role's search_path",
      "add it: ALTER ROLE … SET search_path = public, SCHEMA",
    );
  const says = `PostgreSQL ${server.version}`;
  if (pending === null) return ok(check, `${says}; the first start makes its tables`);
  const note = pending.length === 0 ? "" : `; ${pending.length} upgrade steps wait for the next start`;
  return ok(check, `${says}${note}`);
}

function serverFindings({ server }: LookedAtPostgres): Finding[] {
  const check = about("durability");
  if (!server.fsync)
    return [fail(check, "fsync is off: a power cut could send mail twice", "set fsync = on in PostgreSQL")];
  if (!server.fullPageWrites)
    return [
      warn(
        check,
        "full_page_writes is off: a power cut can damage the database",
        "set it on, unless the file system writes pages as a whole",
      ),
    ];
  return [ok(check, "commits survive a power cut")];
}

function replicaFinding({ server: { replicas, standbys }, trustsFailover }: LookedAtPostgres): Finding {
  const check = about("replicas");
  if (trustsFailover && standbys === "")
    return warn(
      check,
      "DATABASE_FAILOVER=trusted has no effect: commits wait for no standby, so sends are held after one took over",
      "set synchronous_standby_names",
    );
  if (replicas === 0) return ok(check, "none is connected");
  if (standbys !== "") return ok(check, `${replicas} connected, synchronous: ${standbys}`);
  return warn(
    check,
    `${replicas} connected, none of them synchronous: one that takes over lacks the last commits, and sends are held then`,
    "set synchronous_standby_names",
  );
}

function wayFindings({ server, host, prepare }: LookedAtPostgres): Finding[] {
  const { isEncrypted, isPooled, hasSettings } = server;
  const pooler = about("pooler");
  const encryption = about("database_encryption");
  const found: Finding[] = [];
  if (isPooled && prepare)
    found.push(
      fail(
        pooler,
        "a pooler gives each transaction another connection",
        "set DATABASE_PREPARE=off, or its pool mode to session",
      ),
    );
  if (!prepare && !hasSettings)
    found.push(
      fail(
        pooler,
        "DATABASE_PREPARE=off, and the role lacks settings that Postrider cannot set then",
        "give it default_transaction_isolation, synchronous_commit, idle_in_transaction_session_timeout, bytea_output, array_nulls and standard_conforming_strings as docs/postgresql.md has them",
      ),
    );
  if (!isHere(host) && !isEncrypted)
    found.push(
      warn(encryption, `${host} is reached without TLS`, "add ?sslmode=verify-full to DATABASE_URL"),
    );
  return found;
}
