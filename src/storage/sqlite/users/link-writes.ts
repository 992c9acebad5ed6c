import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { welcomeLinks } from "#storage/sqlite/schema/schema.ts";

/** One-time links, written inside the transactions of people and sessions. */
export const linkWrites = oncePerDatabase((sqlite) => {
  const keep = sqlite.query<null, [Uint8Array, number | null, number | null, Instant | null]>(
    "INSERT INTO welcome_links (hash, user, workspace, expires_at) VALUES (?, ?, ?, ?)",
  );
  const forgetFirst = sqlite.query<null, []>("DELETE FROM welcome_links WHERE user IS NULL");
  const forgetOf = sqlite.query<null, [number, number]>(
    "DELETE FROM welcome_links WHERE user = ? AND workspace = ?",
  );
  const forgetAllOf = sqlite.query<null, [number]>("DELETE FROM welcome_links WHERE user = ?");
  const forgetResets = sqlite.query<null, [number]>(
    "DELETE FROM welcome_links WHERE user = ? AND workspace IS NULL",
  );
  const forget = sqlite.query<null, [Uint8Array]>("DELETE FROM welcome_links WHERE hash = ?");
  const goodReset = sqlite.query<Row<typeof welcomeLinks, "user">, [number, Instant]>(
    "SELECT user FROM welcome_links WHERE user = ? AND workspace IS NULL AND expires_at > ? LIMIT 1",
  );

  return {
    keep: (link: {
      readonly hash: Uint8Array;
      readonly user: number | null;
      readonly workspace: number | null;
      readonly expiresAt: Instant | null;
    }): void => void keep.run(link.hash, link.user, link.workspace, link.expiresAt),
    forgetFirst: (): void => void forgetFirst.run(),
    /** Deletes the links into one workspace. */
    forgetOf: (user: number, workspace: number): void => void forgetOf.run(user, workspace),
    forgetAllOf: (user: number): void => void forgetAllOf.run(user),
    forgetResets: (user: number): void => void forgetResets.run(user),
    forget: (hash: Uint8Array): void => void forget.run(hash),
    /** Whether the operator has reset the account, and its link can still be used. */
    isReset: (user: number, now: Instant): boolean => goodReset.get(user, now) !== null,
  };
});
