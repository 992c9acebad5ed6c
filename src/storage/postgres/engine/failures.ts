/**
 * The errors of PostgreSQL and its driver. The driver has the SQLSTATE in `errno`, and a name of its own in `code`;
 * Drizzle wraps such errors as `cause`.
 */
import { StorageError, type StorageTrouble } from "#core/errors/storage-error.ts";

type Failure = {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly constraint?: unknown;
  readonly cause?: unknown;
};

/** OpenSSL's names for problems with a certificate. */
const NOT_TRUSTED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** By SQLSTATE (PostgreSQL's manual, appendix A) or by the driver's name. */
const TROUBLES: readonly (readonly [RegExp, StorageTrouble])[] = [
  [/^53100$/, "full"],
  [/^(55P03|40001|40P01)$/, "locked"],
  [/^57014$/, "stopped"],
  [/^25006$/, "set read-only"],
  [/^XX00[12]$/, "damaged"],
  [/^(58|53[24])/, "failing"],
  [/^(08|57P0|53300|25P03)/, "unreachable"],
  // No new connection is let in: another password or pg_hba.conf, a database under another name or closed to all.
  [/^(28|3D000|55000)/, "unreachable"],
  [/^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS|SERVER_CLOSED)/, "unreachable"],
  [/^ERR_TLS_/, "unreachable"],
  [NOT_TRUSTED, "unreachable"],
  [/^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|FailedToOpenSocket)/, "unreachable"],
];

/** Two transactions conflicted, and this one was undone: it may be tried again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** The server or the network closed an open connection: on another connection the same may succeed. */
const LOST =
  /^(57P0[12345]|08...|ERR_POSTGRES_(CONNECTION_CLOSED|IDLE_TIMEOUT|LIFETIME_TIMEOUT|SERVER_CLOSED)|ECONNRESET|EPIPE)$/;

export const isLostConnection = (error: unknown): boolean =>
  namesIn(failureOf(error)).some((name) => LOST.test(name));

export const isConflict = (error: unknown): boolean =>
  error instanceof LostRace || CONFLICTS.has(sqlStateOf(error) ?? "");

/** Thrown in a transaction that missed what another one wrote meanwhile. It runs again and then sees it. */
export class LostRace extends Error {}

/** Whether the statement failed because of this constraint, or unique index, by its name in the schema. */
export const violates = (error: unknown, constraint: string): boolean =>
  failureOf(error)?.constraint === constraint;

/** Our error if the failure concerns the whole database, and not one statement; null for any other. */
export function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  const failure = failureOf(error);
  if (failure === null) return null;
  const names = namesIn(failure);
  const trouble = TROUBLES.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  return trouble === undefined ? null : new StorageError(trouble, failure);
}

/** Why the connection is not encrypted as the address asks; null if something else is wrong. */
export function certificateTrouble(error: unknown): "none" | "other name" | "not trusted" | null {
  const names = namesIn(failureOf(error));
  if (names.includes("ERR_POSTGRES_TLS_NOT_AVAILABLE")) return "none";
  if (names.includes("ERR_TLS_CERT_ALTNAME_INVALID")) return "other name";
  return names.some((name) => NOT_TRUSTED.test(name)) ? "not trusted" : null;
}

export function sqlStateOf(error: unknown): string | null {
  const state = failureOf(error)?.errno;
  return typeof state === "string" ? state : null;
}

const namesIn = (failure: Failure | null): string[] =>
  [failure?.errno, failure?.code].filter((name) => typeof name === "string");

/** The driver's error, however often it was wrapped; null if there is none. */
function failureOf(error: unknown): Failure | null {
  if (typeof error !== "object" || error === null) return null;
  const failure: Failure = error;
  if (typeof failure.code === "string" || typeof failure.errno === "string") return failure;
  return failureOf(failure.cause);
}
