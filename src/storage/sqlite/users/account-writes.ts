import type { Instant } from "#core/time/clock.ts";
import type { SessionStore } from "#sessions/store.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { users } from "#storage/sqlite/schema/schema.ts";
import type { AccountReads } from "./account-reads.ts";
import { linkWrites } from "./link-writes.ts";
import type { PeopleParts } from "./user-store.ts";

type Methods = Pick<
  SessionStore,
  "changePassword" | "proposeTotp" | "proposedTotp" | "confirmTotp" | "removeTotp"
>;

/** What people change in their own account. */
export function accountWrites(
  { database: { sqlite, writes }, revisions, audit }: PeopleParts,
  accounts: AccountReads,
): Methods {
  const links = linkWrites(sqlite);
  const setPassword = sqlite.query<null, [string, number]>(
    "UPDATE users SET password_hash = ? WHERE seq = ?",
  );
  const endOthers = sqlite.query<null, [number, string]>("DELETE FROM sessions WHERE user = ? AND id <> ?");
  const propose = sqlite.query<null, [string, string]>("UPDATE users SET totp_proposed = ? WHERE id = ?");
  const proposed = sqlite.query<Row<typeof users, "totpProposed">, [string]>(
    "SELECT totp_proposed AS totpProposed FROM users WHERE id = ?",
  );
  const confirm = sqlite.query<Row<typeof users, "email">, [string, number, string, string, string]>(
    `UPDATE users SET totp_secret = ?, totp_step = ?, totp_proposed = NULL
     WHERE id = ? AND totp_proposed = ? AND seq = (SELECT user FROM sessions WHERE id = ?) RETURNING email`,
  );
  const remove = sqlite.query<Row<typeof users, "email">, [string]>(
    `UPDATE users SET totp_secret = NULL, totp_step = NULL, totp_proposed = NULL
     WHERE id = ? AND totp_secret IS NOT NULL RETURNING email`,
  );

  const changed = (row: Row<typeof users, "email"> | null, what: string, at: Instant): boolean => {
    if (row !== null) audit.addOf(row.email, what, at);
    return row !== null;
  };

  return {
    changePassword: (account, passwordHash, keptSession, at) =>
      writes.write(() => {
        const row = accounts.unchanged(account);
        if (row === null) return false;
        revisions.bump();
        setPassword.run(passwordHash, row.seq);
        endOthers.run(row.seq, keptSession);
        links.forgetResets(row.seq);
        audit.addOf(row.email, "password_changed", at);
        return true;
      }),

    proposeTotp: (userId, secret) =>
      writes.write(() => {
        propose.run(secret, userId);
      }),

    proposedTotp: async (userId) => proposed.get(userId)?.totpProposed ?? null,

    confirmTotp: ({ userId, sessionId }, secret, step, at) =>
      writes.write(() =>
        changed(confirm.get(secret, step, userId, secret, sessionId), "codes_turned_on", at),
      ),

    removeTotp: (userId, at) =>
      writes.write(() => {
        changed(remove.get(userId), "codes_turned_off", at);
      }),
  };
}
