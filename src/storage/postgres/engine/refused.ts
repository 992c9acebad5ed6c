/** Why a database cannot be opened, in one line that says what to do. It never contains a password. */
import { isUnreachable, StorageError } from "#core/errors/storage-error.ts";
import { certificateTrouble, sqlStateOf, storageErrorOf } from "./failures.ts";

/** The oldest PostgreSQL that has everything that the schema uses. */
const VERSION_MIN = 15;

/** A database that cannot be used as it is. The message is for the person who set its address. */
export class DatabaseRefused extends Error {}

/** @param versionNumber the value of `server_version_num`: 180004 is 18.4 */
export function checkVersion(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major < VERSION_MIN)
    throw new DatabaseRefused(
      `PostgreSQL ${VERSION_MIN} or newer is needed, and this is ${major}: upgrade it, or name another.`,
    );
}

/**
 * Any other encoding lacks characters that people, relays and files have, so what holds one could never be written.
 * @param encoding the value of `server_encoding`
 */
export function checkEncoding(encoding: string): void {
  if (encoding !== "UTF8")
    throw new DatabaseRefused(
      `The database's encoding is ${encoding}, which cannot keep every text: make one with createdb -E UTF8 -T template0.`,
    );
}

/** An error of opening a database in our words, if we have some; otherwise the error itself. */
export function refusedAs(given: unknown, url: string): unknown {
  // A `StorageError` has general words for everybody; here its cause says more.
  const error = given instanceof StorageError ? given.cause : given;
  const { hostname, port, username, pathname } = new URL(url);
  const at = `${hostname}:${port || 5432}`;
  const database = decodeURIComponent(pathname.slice(1));
  const says = (line: string): DatabaseRefused => new DatabaseRefused(line, { cause: error });
  switch (sqlStateOf(error) ?? "") {
    case "28000":
    case "28P01":
      return says(
        `PostgreSQL at ${at} does not let ${decodeURIComponent(username)} in: check user and password, and pg_hba.conf.`,
      );
    case "3D000":
      return says(`PostgreSQL at ${at} has no database ${database}: make it with createdb.`);
    case "42501":
      return says(
        `${decodeURIComponent(username)} may not make Postrider's tables: let it own the database ${database}, or have its owner run CREATE EXTENSION pg_trgm and GRANT CREATE ON SCHEMA public.`,
      );
    case "0A000":
    case "58P01":
      return says(`PostgreSQL at ${at} lacks the extension pg_trgm: install its contrib package.`);
    case "42704":
      return /gin_trgm_ops/.test(String(error))
        ? says(
            `pg_trgm is in a schema that is not in the role's search_path: add it (ALTER ROLE ${decodeURIComponent(username)} SET search_path = public, SCHEMA).`,
          )
        : error;
    case "3F000":
      return says(
        `The search_path of ${decodeURIComponent(username)} names no schema that exists: make one, or name another (ALTER ROLE ${decodeURIComponent(username)} SET search_path = public).`,
      );
    case "25006":
      return says(`PostgreSQL at ${at} is a standby, which cannot be written: name the primary.`);
    case "55000":
      return says(
        `The database ${database} of PostgreSQL at ${at} is closed to everybody: open it with ALTER DATABASE ${database} ALLOW_CONNECTIONS true.`,
      );
    case "53300":
      return says(
        `PostgreSQL at ${at} has no connection left: raise its max_connections, or the limit of the role or the database.`,
      );
    case "08P01":
      return says(poolerSays((error as Error).message, at));
    default:
      return unreadableAs(error, url, says) ?? unansweredAs(error, at, says);
  }
}

/** A pooler gives each of its own errors this one state: only its words say what is wrong. */
const poolerSays = (words: string, at: string): string =>
  /unsupported startup parameter/i.test(words)
    ? `A pooler at ${at} does not let a client set what its connections need: set DATABASE_PREPARE=off, and give the settings to the role (docs/postgresql.md).`
    : `A pooler at ${at} does not let Postrider in: it says "${words}". Its log says more.`;

/** What the driver says of a file that it cannot read, or that is no certificate. It does not say which. */
const NO_FILE = /^(Unable to access|Failed to load) .*file\b/i;

function unreadableAs(error: unknown, url: string, says: (line: string) => DatabaseRefused): unknown {
  if (!(error instanceof Error) || !NO_FILE.test(error.message)) return null;
  const files = [...new URL(url).searchParams].filter(([name]) => /^ssl(rootcert|cert|key)$/.test(name));
  const named = files.map(([name, file]) => `${name}=${file}`).join(", ");
  return says(
    `A file of DATABASE_URL cannot be read as a certificate or key (${named}): correct its path, and let this user read it.`,
  );
}

/** Our words for an address where no server answered, as far as the reason is known. */
function unansweredAs(error: unknown, at: string, says: (line: string) => DatabaseRefused): unknown {
  const trouble = certificateTrouble(error);
  if (trouble === "none")
    return says(
      `PostgreSQL at ${at} does not encrypt: set its ssl = on with a certificate, or sslmode=disable.`,
    );
  if (trouble === "other name")
    return says(
      `The certificate of PostgreSQL at ${at} is for another name: use the name that stands in it.`,
    );
  if (trouble === "not trusted")
    return says(
      `The certificate of PostgreSQL at ${at} cannot be trusted (${(error as Error).message}): if an authority of your own signed it, add sslrootcert=FILE to the address.`,
    );
  const known = storageErrorOf(error);
  return isUnreachable(known)
    ? says(`No PostgreSQL answers at ${at}: check the address, and that it runs.`)
    : (known ?? error);
}
