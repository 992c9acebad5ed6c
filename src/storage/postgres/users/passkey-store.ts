import type { PasskeyStore } from "#passkeys/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { passkeys, users } from "#storage/postgres/schema/schema.ts";
import { accountOfSession } from "./account-reads.ts";
import { signIn } from "./session-writes.ts";
import type { PeopleParts } from "./user-store.ts";

type PasskeyRow = Row<typeof passkeys, "id" | "name" | "host" | "credential" | "createdAt" | "lastUsedAt">;

type OwnedRow = PasskeyRow &
  Row<typeof passkeys, "publicKey" | "counter"> & {
    userId: Value<typeof users, "id">;
    email: Value<typeof users, "email">;
  };

const COLUMNS = "p.id, p.name, p.host, p.credential, p.created_at, p.last_used_at";
const OF_USER = `SELECT ${COLUMNS} FROM passkeys AS p JOIN users AS u ON u.seq = p.person
  WHERE u.id = $1 ORDER BY p.seq DESC`;
const BY_CREDENTIAL = `SELECT ${COLUMNS}, p.public_key, p.counter, u.id AS user_id, u.email
  FROM passkeys AS p JOIN users AS u ON u.seq = p.person WHERE p.credential = $1`;
const REMOVE = `DELETE FROM passkeys AS p USING users AS u WHERE p.id = $1 AND u.id = $2 AND u.seq = p.person
  RETURNING p.name, u.email`;
const USE = `UPDATE passkeys SET counter = $1, last_used_at = $2 WHERE id = $3 AND counter = $4 RETURNING person`;

/** Removed with each challenge that is used: more than one, so that the table shrinks. */
const FORGET = `DELETE FROM used_challenges WHERE challenge = ANY(ARRAY(SELECT challenge FROM used_challenges
  WHERE expires_at <= $1 ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED))`;
const USE_CHALLENGE =
  "INSERT INTO used_challenges (challenge, expires_at) VALUES ($1, $2) ON CONFLICT (challenge) DO NOTHING";

export function passkeyStore({ database, revisions }: PeopleParts): PasskeyStore {
  const { read, write } = database;
  return {
    list: (userId) => read((session) => session.rows<PasskeyRow>(OF_USER, [userId])),

    add: adding(database),

    remove: (userId, id, at) =>
      write(async (tx) => {
        const removed = await tx.row<Row<typeof passkeys, "name"> & Row<typeof users, "email">>(REMOVE, [
          id,
          userId,
        ]);
        if (removed === null) return false;
        await addEntriesOf(tx, removed.email, "passkey_removed", at, { target: removed.name });
        return true;
      }),

    async findByCredential(credential) {
      const row = await read((session) => session.row<OwnedRow>(BY_CREDENTIAL, [credential]));
      if (row === null) return null;
      const { userId, email, ...passkey } = row;
      return { ...passkey, user: { id: userId, email } };
    },

    open: (passkey, counter, session, replaced) =>
      revisions.changing(() =>
        write(async (tx) => {
          const values = [counter, session.now, passkey.id, passkey.counter];
          const row = await tx.row<Row<typeof passkeys, "person">>(USE, values);
          if (row === null) return false;
          const person = { seq: row.person, email: passkey.user.email, passkey: passkey.name };
          await signIn(tx, person, session, replaced);
          return true;
        }),
      ),

    useChallenge: ({ text, expiresAt }, now) =>
      write(async (tx) => {
        await tx.run(FORGET, [now]);
        return (await tx.run(USE_CHALLENGE, [text, expiresAt])) > 0;
      }),
  };
}

const INSERT = `INSERT INTO passkeys (id, person, name, host, credential, public_key, counter, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential) DO NOTHING`;

function adding({ write }: PostgresDatabase): PasskeyStore["add"] {
  return (by, made, countMax) =>
    write(async (tx) => {
      const { id, name, host, credential, publicKey, counter, createdAt } = made;
      // A person's passkeys are added one after the other: each check counts the earlier ones.
      const owner = await accountOfSession(tx, by);
      if (owner === null) return "gone";
      const had = await tx.row<{ n: number }>("SELECT count(*) AS n FROM passkeys WHERE person = $1", [
        owner.seq,
      ]);
      if ((had?.n ?? 0) >= countMax) return "full";
      const values = [id, owner.seq, name, host, credential, publicKey, counter, createdAt];
      if ((await tx.run(INSERT, values)) === 0) return "known";
      await addEntriesOf(tx, owner.email, "passkey_added", createdAt, { target: name });
      return "added";
    });
}
