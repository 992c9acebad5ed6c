import type { SignedIn } from "#core/request/access.ts";
import { isUnchanged } from "#sessions/checked-account.ts";
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

/** The account, if what was checked is still true. Locks it until the transaction ends. */
export async function unchangedAccount(tx: Session, account: Account): Promise<AccountRow | null> {
  const row = await tx.row<AccountRow>(`${ACCOUNT} WHERE email = $1 FOR NO KEY UPDATE`, [account.email]);
  return row !== null && isUnchanged(row, account) ? row : null;
}

const OWNER = "SELECT seq, email FROM users WHERE id = $1 FOR NO KEY UPDATE";
/** Asked once the account is locked: before that, a reset that is under way would not be seen. */
const IS_OPEN = "SELECT seq FROM sessions WHERE id = $1 AND person = $2";

/** The account of an open session, locked until the transaction ends. Null if the session is over, such as by a reset. */
export async function accountOfSession(
  tx: Session,
  { userId, sessionId }: Pick<SignedIn, "userId" | "sessionId">,
): Promise<Row<typeof users, "seq" | "email"> | null> {
  const owner = await tx.row<Row<typeof users, "seq" | "email">>(OWNER, [userId]);
  return owner === null || (await tx.row(IS_OPEN, [sessionId, owner.seq])) === null ? null : owner;
}
