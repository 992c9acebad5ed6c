import { IDLE_MS, SESSION_MS, type Session as OpenSession } from "#sessions/session.ts";
import type { NewSession } from "#sessions/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { memberships, sessions, users, workspaces } from "#storage/postgres/schema/schema.ts";

type SessionRow = Row<typeof sessions, "id" | "stays" | "createdAt" | "lastSeenAt"> & {
  userId: Value<typeof users, "id">;
  email: Value<typeof users, "email">;
};

type EnteredRow = Row<typeof memberships, "role"> & { workspaceId: Value<typeof workspaces, "id"> };

const SESSION = `SELECT s.id, s.stays, s.created_at, s.last_seen_at, u.id AS user_id, u.email
  FROM sessions AS s JOIN users AS u ON u.seq = s.person`;
const ENTERED = `SELECT w.id AS workspace_id, m.role FROM memberships AS m JOIN users AS u ON u.seq = m.person
  JOIN workspaces AS w ON w.seq = m.workspace
  WHERE u.id = $1 AND m.joined_at IS NOT NULL ORDER BY m.joined_at, m.seq`;

// Keeps the table as small as the number of browsers in use. Simultaneous sign-ins remove different rows.
const EXPIRE = `DELETE FROM sessions WHERE seq = ANY(ARRAY(
  SELECT seq FROM sessions WHERE created_at <= $1 OR (NOT stays AND last_seen_at <= $2) FOR UPDATE SKIP LOCKED))`;

const NOWHERE: OpenSession["roles"] = new Map();

export async function sessionsOf(session: Session, userId: string): Promise<OpenSession[]> {
  const rows = await session.rows<SessionRow>(`${SESSION} WHERE u.id = $1 ORDER BY s.seq DESC`, [userId]);
  return rows.map((row) => ({ ...row, roles: NOWHERE }));
}

export async function findSession(session: Session, hash: Uint8Array): Promise<OpenSession | null> {
  const row = await session.row<SessionRow>(`${SESSION} WHERE s.hash = $1`, [hash]);
  if (row === null) return null;
  const entered = await session.rows<EnteredRow>(ENTERED, [row.userId]);
  return { ...row, roles: new Map(entered.map(({ workspaceId, role }) => [workspaceId, role])) };
}

/** Opens a session of the person with this number, in place of the one that the browser had. */
export async function openSession(
  tx: Session,
  person: number,
  session: NewSession,
  replaced: Uint8Array | null,
): Promise<void> {
  const { id, hash, stays, now } = session;
  if (replaced !== null) await tx.run("DELETE FROM sessions WHERE hash = $1", [replaced]);
  await tx.run(
    "INSERT INTO sessions (id, person, hash, stays, created_at, last_seen_at) VALUES ($1, $2, $3, $4, $5, $5)",
    [id, person, hash, stays, now],
  );
}

/** The person who signs in, and the name of the passkey; null: with the password. */
type SigningIn = { readonly seq: number; readonly email: string; readonly passkey: string | null };

/** Opens a session that replaces the browser's previous one. */
export async function signIn(
  tx: Session,
  { seq, email, passkey }: SigningIn,
  session: NewSession,
  replaced: Uint8Array | null,
): Promise<void> {
  await tx.run("UPDATE users SET last_seen_at = $1 WHERE seq = $2", [session.now, seq]);
  await tx.run(EXPIRE, [session.now - SESSION_MS, session.now - IDLE_MS]);
  await openSession(tx, seq, session, replaced);
  await addEntriesOf(tx, email, "sign_in", session.now, { target: passkey });
}
