import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** How PostgreSQL is reached. The address may hold a password: it is never shown. */
export type DatabaseAddress = {
  readonly url: string;
  /** False: there is a pooler in front of it that gives every transaction another connection. */
  readonly prepare: boolean;
  /** True: sending continues after a synchronous standby took over. Only a server asks for this. */
  readonly trustsFailover?: boolean;
};

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Whether user, password and name can be read: a `%` that is not percent-encoded makes them unreadable. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Reads `postgres://user:password@host:5432/name?sslmode=…`. A refusal never repeats the text. */
export function parseDatabaseUrl(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isDecodable(url) || (url.protocol !== "postgres:" && url.protocol !== "postgresql:"))
    return invalid(
      "it must be postgres://user:password@host:5432/name, with special characters of the password percent-encoded",
    );
  if (url.hostname === "" || url.username === "") return invalid("the user or the host is missing");
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode))
    return invalid(`sslmode must be one of ${SSL_MODES.join(", ")}`);
  return url.pathname.length > 1 ? accept(text) : invalid("the name of the database is missing at its end");
}
