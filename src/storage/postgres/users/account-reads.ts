import type { Account } from "#sessions/store.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { users } from "#storage/postgres/schema/schema.ts";

type AccountRow = Row<typeof users, "seq" | "id" | "email" | "passwordHash" | "totpSecret" | "totpStep">;

const ACCOUNT = "SELECT seq, id, email, password_hash, totp_secret, totp_step FROM users";

const shown = (row: AccountRow | null): Account | null => {
  if (row === null) return null;
  const { seq: _seq, ...account } = row;
  return account;
};

/** What a person signs in with. */
export const accountByEmail = async (session: Session, email: string): Promise<Account | null> =>
  shown(await session.row<AccountRow>(`${ACCOUNT} WHERE email = $1`, [email]));

export const accountBySeq = async (session: Session, seq: number): Promise<Account | null> =>
  shown(await session.row<AccountRow>(`${ACCOUNT} WHERE seq = $1`, [seq]));

/**
 * The account, if what was checked is still true: hashing takes a while, and the account may have changed. Locks it
 * until the transaction ends.
 */
export async function unchangedAccount(tx: Session, account: Account): Promise<AccountRow | null> {
  const row = await tx.row<AccountRow>(`${ACCOUNT} WHERE email = $1 FOR NO KEY UPDATE`, [account.email]);
  if (row === null || row.id !== account.id) return null;
  const isSame =
    row.passwordHash === account.passwordHash &&
    row.totpSecret === account.totpSecret &&
    row.totpStep === account.totpStep;
  return isSame ? row : null;
}
