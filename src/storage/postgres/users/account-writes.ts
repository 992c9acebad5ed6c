import type { Instant } from "#core/time/clock.ts";
import type { SessionStore } from "#sessions/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { users } from "#storage/postgres/schema/schema.ts";
import { accountOfSession, unchangedAccount } from "./account-reads.ts";
import { forgetResets } from "./link-writes.ts";
import type { PeopleParts } from "./user-store.ts";

type Methods = Pick<
  SessionStore,
  "changePassword" | "proposeTotp" | "proposedTotp" | "confirmTotp" | "removeTotp"
>;

const CONFIRM = `UPDATE users SET totp_secret = $1, totp_step = $2, totp_proposed = NULL
  WHERE id = $3 AND totp_proposed = $1 RETURNING email`;
const REMOVE = `UPDATE users SET totp_secret = NULL, totp_step = NULL, totp_proposed = NULL
  WHERE id = $1 AND totp_secret IS NOT NULL RETURNING email`;

/** What people change in their own account. */
export function accountWrites({ database: { read, write }, revisions }: PeopleParts): Methods {
  return {
    changePassword: (account, passwordHash, keptSession, at) =>
      revisions.changing(() =>
        write(async (tx) => {
          const row = await unchangedAccount(tx, account);
          if (row === null) return false;
          await tx.run("UPDATE users SET password_hash = $1 WHERE seq = $2", [passwordHash, row.seq]);
          await tx.run("DELETE FROM sessions WHERE person = $1 AND id <> $2", [row.seq, keptSession]);
          await forgetResets(tx, row.seq);
          await addEntriesOf(tx, row.email, "password_changed", at);
          return true;
        }),
      ),

    async proposeTotp(userId, secret) {
      await write((tx) => tx.run("UPDATE users SET totp_proposed = $1 WHERE id = $2", [secret, userId]));
    },

    async proposedTotp(userId) {
      const found = await read((session) =>
        session.row<Row<typeof users, "totpProposed">>("SELECT totp_proposed FROM users WHERE id = $1", [
          userId,
        ]),
      );
      return found?.totpProposed ?? null;
    },

    confirmTotp: (by, secret, step, at) =>
      write(async (tx) => {
        if ((await accountOfSession(tx, by)) === null) return false;
        return await changed(tx, CONFIRM, [secret, step, by.userId], "codes_turned_on", at);
      }),

    async removeTotp(userId, at) {
      await write((tx) => changed(tx, REMOVE, [userId], "codes_turned_off", at));
    },
  };
}

async function changed(
  tx: Session,
  statement: string,
  values: readonly (string | number)[],
  what: string,
  at: Instant,
): Promise<boolean> {
  const row = await tx.row<Row<typeof users, "email">>(statement, values);
  if (row !== null) await addEntriesOf(tx, row.email, what, at);
  return row !== null;
}
