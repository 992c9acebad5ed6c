import type { Instant } from "#core/time/clock.ts";
import { IDLE_MS, SESSION_MS, type Session } from "#sessions/session.ts";
import type { NewSession, SessionStore } from "#sessions/store.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { memberships, sessions, users, workspaces } from "#storage/sqlite/schema/schema.ts";
import { accountReads } from "./account-reads.ts";
import { accountWrites } from "./account-writes.ts";
import type { PeopleParts } from "./user-store.ts";
import { welcomeWrites, type OpenSession } from "./welcome-writes.ts";

export function sessionStore(parts: PeopleParts): SessionStore {
  const { database, revisions, audit } = parts;
  const { sqlite, writes } = database;
  const accounts = accountReads(sqlite);
  const { found, open, signIn } = sessionWrites(parts);
  const ofUser = sqlite.query<SessionRow, [string]>(`${SESSION} WHERE u.id = ? ORDER BY s.seq DESC`);
  const end = sqlite.query<null, [string, string]>(
    "DELETE FROM sessions WHERE id = ? AND user = (SELECT seq FROM users WHERE id = ?)",
  );
  const seen = sqlite.query<Row<typeof sessions, "user">, [Instant, string]>(
    "UPDATE sessions SET last_seen_at = ? WHERE id = ? RETURNING user",
  );
  const seenUser = sqlite.query<null, [Instant, number]>("UPDATE users SET last_seen_at = ? WHERE seq = ?");
  const useStep = sqlite.query<null, [number | null, number]>("UPDATE users SET totp_step = ? WHERE seq = ?");

  return {
    account: async (email) => accounts.byEmail(email),

    open: (account, session, step, replaced) =>
      writes.write(() => {
        const row = accounts.unchanged(account);
        if (row === null) return false;
        if (step !== null) useStep.run(step, row.seq);
        signIn({ ...row, passkey: null }, session, replaced);
        return true;
      }),

    failed: (email, at) => writes.write(() => audit.addOf(email, "sign_in_failed", at)),

    find: async (hash) => found(hash),

    list: async (userId) => ofUser.all(userId).map((row) => sessionOf(row, NOWHERE)),

    markSeen: (id, at) =>
      writes.write(() => {
        const row = seen.get(at, id);
        if (row !== null) seenUser.run(at, row.user);
      }),

    end: (userId, id) =>
      writes.write(() => {
        revisions.bump();
        return end.run(id, userId).changes > 0;
      }),

    ...accountWrites(parts, accounts),
    ...welcomeWrites(parts, accounts, { open }),
    revision: revisions.current,
  };
}

type SessionRow = Row<typeof sessions, "id" | "stays" | "createdAt" | "lastSeenAt"> & {
  userId: Value<typeof users, "id">;
  email: Value<typeof users, "email">;
};

const SESSION = `SELECT s.id, s.stays, s.created_at AS createdAt, s.last_seen_at AS lastSeenAt, u.id AS userId, u.email
 FROM sessions AS s JOIN users AS u ON u.seq = s.user`;

type Roles = Session["roles"];

const NOWHERE: Roles = new Map();

const sessionOf = ({ stays, ...row }: SessionRow, roles: Roles): Session => ({
  ...row,
  stays: stays === 1,
  roles,
});

/** The person who signs in, and the name of the passkey; null: with the password. */
type SigningIn = { readonly seq: number; readonly email: string; readonly passkey: string | null };

export function sessionWrites({ database: { sqlite }, revisions, audit }: PeopleParts) {
  const byHash = sqlite.query<SessionRow, [Uint8Array]>(`${SESSION} WHERE s.hash = ?`);
  const entered = sqlite.query<
    Row<typeof memberships, "role"> & { workspaceId: Value<typeof workspaces, "id"> },
    [string]
  >(
    `SELECT w.id AS workspaceId, m.role FROM memberships AS m JOIN users AS u ON u.seq = m.user
     JOIN workspaces AS w ON w.seq = m.workspace
     WHERE u.id = ? AND m.joined_at IS NOT NULL ORDER BY m.joined_at, m.seq`,
  );
  const insert = sqlite.query<null, [string, number, Uint8Array, number, Instant, Instant]>(
    "INSERT INTO sessions (id, user, hash, stays, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const expire = sqlite.query<null, [Instant, Instant]>(
    "DELETE FROM sessions WHERE created_at <= ? OR (stays = 0 AND last_seen_at <= ?)",
  );
  const replace = sqlite.query<null, [Uint8Array]>("DELETE FROM sessions WHERE hash = ?");
  const seenUser = sqlite.query<null, [Instant, number]>("UPDATE users SET last_seen_at = ? WHERE seq = ?");
  const open: OpenSession = (user, { id, hash, stays, now }, replaced) => {
    if (replaced !== null) replace.run(replaced);
    insert.run(id, user, hash, stays ? 1 : 0, now, now);
  };

  return {
    open,
    found(hash: Uint8Array): Session | null {
      const row = byHash.get(hash);
      if (row === null) return null;
      const roles = entered.all(row.userId).map(({ workspaceId, role }) => [workspaceId, role] as const);
      return sessionOf(row, new Map(roles));
    },
    /** Opens a session that replaces the browser's previous one. */
    signIn({ seq, email, passkey }: SigningIn, session: NewSession, replaced: Uint8Array | null): void {
      revisions.bump();
      // Keeps the table as small as the number of browsers in use.
      expire.run(session.now - SESSION_MS, session.now - IDLE_MS);
      open(seq, session, replaced);
      seenUser.run(session.now, seq);
      audit.addOf(email, "sign_in", session.now, { target: passkey });
    },
  };
}
