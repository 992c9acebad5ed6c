import type { Instant } from "#core/time/clock.ts";
import type { Passkey } from "#passkeys/passkey.ts";
import type { NewPasskey, PasskeyStore } from "#passkeys/store.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { passkeys, users } from "#storage/sqlite/schema/schema.ts";
import { sessionWrites } from "./session-store.ts";
import type { PeopleParts } from "./user-store.ts";

type PasskeyRow = Row<typeof passkeys, "id" | "name" | "host" | "credential" | "createdAt" | "lastUsedAt">;

type OwnedRow = PasskeyRow &
  Row<typeof passkeys, "user" | "publicKey" | "counter"> & {
    userId: Value<typeof users, "id">;
    email: Value<typeof users, "email">;
  };

const COLUMNS = "p.id, p.name, p.host, p.credential, p.created_at AS createdAt, p.last_used_at AS lastUsedAt";

/** Removed with each challenge that is used: more than one, so that the table shrinks. */
const FORGET_AT_ONCE = 10;

export function passkeyStore(parts: PeopleParts): PasskeyStore {
  const { database, audit } = parts;
  const { sqlite, writes } = database;
  const reads = passkeyReads(parts);
  const { signIn } = sessionWrites(parts);
  const add = adding(parts);
  const remove = sqlite.query<Row<typeof passkeys, "name" | "user">, [string, string]>(
    "DELETE FROM passkeys WHERE id = ? AND user = (SELECT seq FROM users WHERE id = ?) RETURNING name, user",
  );
  const emailOf = sqlite.query<Row<typeof users, "email">, [number]>("SELECT email FROM users WHERE seq = ?");
  const use = sqlite.query<Row<typeof passkeys, "user">, [number, Instant, string, number]>(
    "UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ? RETURNING user",
  );

  const forget = sqlite.query<null, [Instant]>(
    `DELETE FROM used_challenges WHERE challenge IN (
       SELECT challenge FROM used_challenges WHERE expires_at <= ? ORDER BY expires_at LIMIT ${FORGET_AT_ONCE})`,
  );
  const useChallenge = sqlite.query<null, [string, Instant]>(
    "INSERT INTO used_challenges (challenge, expires_at) VALUES (?, ?) ON CONFLICT (challenge) DO NOTHING",
  );

  return {
    ...reads,
    add,

    useChallenge: ({ text, expiresAt }, now) =>
      writes.write(() => {
        forget.run(now);
        return useChallenge.run(text, expiresAt).changes > 0;
      }),

    remove: (userId, id, at) =>
      writes.write(() => {
        const removed = remove.get(id, userId);
        const email = removed === null ? null : (emailOf.get(removed.user)?.email ?? null);
        if (removed === null || email === null) return false;
        audit.addOf(email, "passkey_removed", at, { target: removed.name });
        return true;
      }),

    open: (passkey, counter, session, replaced) =>
      writes.write(() => {
        const row = use.get(counter, session.now, passkey.id, passkey.counter);
        if (row === null) return false;
        signIn({ seq: row.user, email: passkey.user.email, passkey: passkey.name }, session, replaced);
        return true;
      }),
  };
}

function passkeyReads({
  database: { sqlite },
}: PeopleParts): Pick<PasskeyStore, "list" | "findByCredential"> {
  const ofUser = sqlite.query<PasskeyRow, [string]>(
    `SELECT ${COLUMNS} FROM passkeys AS p WHERE p.user = (SELECT seq FROM users WHERE id = ?) ORDER BY p.seq DESC`,
  );
  const byCredential = sqlite.query<OwnedRow, [string]>(
    `SELECT ${COLUMNS}, p.user, p.public_key AS publicKey, p.counter, u.id AS userId, u.email
     FROM passkeys AS p JOIN users AS u ON u.seq = p.user WHERE p.credential = ?`,
  );
  return {
    list: async (userId): Promise<Passkey[]> => ofUser.all(userId),
    findByCredential: async (credential) => {
      const row = byCredential.get(credential);
      if (row === null) return null;
      const { userId, email, user: _user, ...passkey } = row;
      return { ...passkey, user: { id: userId, email } };
    },
  };
}

function adding({ database: { sqlite, writes }, audit }: PeopleParts): PasskeyStore["add"] {
  const person = sqlite.query<Row<typeof users, "seq" | "email">, [string, string]>(
    `SELECT u.seq, u.email FROM users AS u JOIN sessions AS s ON s.user = u.seq WHERE u.id = ? AND s.id = ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>("SELECT count(*) AS n FROM passkeys WHERE user = ?");
  const insert = sqlite.query<null, [string, number, string, string, string, Uint8Array, number, Instant]>(
    `INSERT INTO passkeys (id, user, name, host, credential, public_key, counter, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential) DO NOTHING`,
  );
  return ({ userId, sessionId }, made: NewPasskey, countMax) =>
    writes.write(() => {
      const { id, name, host, credential, publicKey, counter, createdAt } = made;
      const owner = person.get(userId, sessionId);
      if (owner === null) return "gone";
      if ((count.get(owner.seq)?.n ?? 0) >= countMax) return "full";
      const { changes } = insert.run(id, owner.seq, name, host, credential, publicKey, counter, createdAt);
      if (changes === 0) return "known";
      audit.addOf(owner.email, "passkey_added", createdAt, { target: name });
      return "added";
    });
}
