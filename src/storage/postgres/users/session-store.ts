import type { SessionStore } from "#sessions/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { sessions } from "#storage/postgres/schema/schema.ts";
import { accountByEmail, unchangedAccount } from "./account-reads.ts";
import { accountWrites } from "./account-writes.ts";
import { findSession, sessionsOf, signIn } from "./session-writes.ts";
import type { PeopleParts } from "./user-store.ts";
import { welcomeWrites } from "./welcome-writes.ts";

const SEEN = "UPDATE sessions SET last_seen_at = $1 WHERE id = $2 RETURNING person";
const END = "DELETE FROM sessions WHERE id = $1 AND person = (SELECT seq FROM users WHERE id = $2)";

export function sessionStore(parts: PeopleParts): SessionStore {
  const { read, write } = parts.database;
  const { changing, current } = parts.revisions;
  return {
    account: (email) => read((session) => accountByEmail(session, email)),

    open: (account, session, step, replaced) =>
      changing(() =>
        write(async (tx) => {
          const row = await unchangedAccount(tx, account);
          if (row === null) return false;
          if (step !== null) await tx.run("UPDATE users SET totp_step = $1 WHERE seq = $2", [step, row.seq]);
          await signIn(tx, { ...row, passkey: null }, session, replaced);
          return true;
        }),
      ),

    failed: (email, at) => write((tx) => addEntriesOf(tx, email, "sign_in_failed", at)),

    find: (hash) => read((session) => findSession(session, hash)),

    list: (userId) => read((session) => sessionsOf(session, userId)),

    markSeen: (id, at) =>
      write(async (tx) => {
        const row = await tx.row<Row<typeof sessions, "person">>(SEEN, [at, id]);
        if (row !== null) await tx.run("UPDATE users SET last_seen_at = $1 WHERE seq = $2", [at, row.person]);
      }),

    end: (userId, id) => changing(() => write(async (tx) => (await tx.run(END, [id, userId])) > 0)),

    ...accountWrites(parts),
    ...welcomeWrites(parts),
    revision: current,
  };
}
