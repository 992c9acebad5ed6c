import type { Database } from "bun:sqlite";
import { isUnchanged } from "#sessions/checked-account.ts";
import type { Account } from "#sessions/store.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { users } from "#storage/sqlite/schema/schema.ts";

type AccountRow = Row<typeof users, "seq" | "id" | "email" | "passwordHash" | "totpSecret" | "totpStep">;

export type AccountReads = ReturnType<typeof accountReads>;

/** What a person signs in with. */
export function accountReads(sqlite: Database) {
  const COLUMNS = `seq, id, email, password_hash AS passwordHash, totp_secret AS totpSecret, totp_step AS totpStep`;
  const byEmail = sqlite.query<AccountRow, [string]>(`SELECT ${COLUMNS} FROM users WHERE email = ?`);
  const bySeq = sqlite.query<AccountRow, [number]>(`SELECT ${COLUMNS} FROM users WHERE seq = ?`);
  const shown = (row: AccountRow | null): Account | null => {
    if (row === null) return null;
    const { seq: _seq, ...account } = row;
    return account;
  };
  return {
    row: (email: string): AccountRow | null => byEmail.get(email),
    byEmail: (email: string): Account | null => shown(byEmail.get(email)),
    bySeq: (seq: number): Account | null => shown(bySeq.get(seq)),
    /** The account, if what was checked is still true. */
    unchanged(account: Account): AccountRow | null {
      const row = byEmail.get(account.email);
      return row !== null && isUnchanged(row, account) ? row : null;
    },
  };
}
