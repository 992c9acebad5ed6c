import { beforeEach, describe, expect, test } from "bun:test";
import {
  newBytes,
  newId,
  newLink,
  newSession,
  NOW,
  peopleOn,
} from "../../../support/people/engine-people.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`passkeys on ${engine.name}`, () => {
    const world = peopleOn(engine);
    const { join, signedIn, told } = world;
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let home = "";
    beforeEach(() => void ({ opened, stores, home } = world));

    const passkey = () => ({
      id: newId("pk"),
      name: "Phone",
      host: "example.com",
      credential: newId("cred"),
      publicKey: newBytes("public"),
      counter: 3,
      createdAt: NOW,
    });
    test("a passkey belongs to one person, and opens a session once for each count", async () => {
      const email = `keys.${home}@example.com`;
      const { id } = (await join(email))!;
      const by = await signedIn(email);
      const mine = passkey();
      expect(await stores.passkeys.add(by, mine, 3)).toBe("added");
      expect(await stores.passkeys.add(by, { ...passkey(), credential: mine.credential }, 3)).toBe("known");
      expect(await stores.passkeys.add({ ...by, userId: "usr_none" }, passkey(), 3)).toBe("gone");
      const more = await Promise.all(Array.from({ length: 6 }, () => stores.passkeys.add(by, passkey(), 3)));
      expect(more.toSorted()).toEqual(["added", "added", "full", "full", "full", "full"]);
      expect((await stores.passkeys.list(id)).length).toBe(3);
      const found = (await stores.passkeys.findByCredential(mine.credential))!;
      expect(found).toMatchObject({
        id: mine.id,
        name: "Phone",
        counter: 3,
        lastUsedAt: null,
        user: { id, email },
      });
      expect(mine.publicKey.equals(found.publicKey)).toBe(true);
      const uses = await Promise.all([1, 2].map(() => stores.passkeys.open(found, 4, newSession(), null)));
      expect(uses.filter(Boolean).length).toBe(1);
      expect(await stores.passkeys.findByCredential(mine.credential)).toMatchObject({
        counter: 4,
        lastUsedAt: NOW,
      });
      expect(await stores.passkeys.remove("usr_none", mine.id, NOW)).toBe(false);
      expect(await stores.passkeys.remove(id, mine.id, NOW)).toBe(true);
      expect(await stores.passkeys.findByCredential(mine.credential)).toBeNull();
      expect((await told()).slice(-2)).toEqual([`${email} sign_in Phone`, `${email} passkey_removed Phone`]);
    });

    test("a passkey is added only while the session that asks is open: none is left of what was asked before a reset", async () => {
      const email = `taken.${home}@example.com`;
      const { id } = (await join(email))!;
      const [thief, other] = [await signedIn(email), await signedIn(email)];
      expect(await stores.passkeys.add({ ...thief, sessionId: "ses_none" }, passkey(), 3)).toBe("gone");
      expect(await stores.sessions.end(id, other.sessionId)).toBe(true);
      expect(await stores.passkeys.add(other, passkey(), 3)).toBe("gone");
      const [, added] = await Promise.all([
        stores.users.reset(email, newLink(), NOW),
        stores.passkeys.add(thief, passkey(), 3),
      ]);
      expect(["added", "gone"]).toContain(added);
      expect(await stores.passkeys.add(thief, passkey(), 3)).toBe("gone");
      expect(await stores.passkeys.list(id)).toEqual([]);
    });

    test("a challenge is used once, however often it comes at the same time, and is forgotten when it has expired", async () => {
      const use = (text: string, now = NOW) =>
        stores.passkeys.useChallenge({ text, expiresAt: NOW + 5 }, now);
      const uses = await Promise.all(Array.from({ length: 6 }, () => use(`one ${home}`)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect([await use(`two ${home}`), await use(`two ${home}`)]).toEqual([true, false]);
      const count = () => opened.values("SELECT count(*) FROM used_challenges");
      expect(Number((await count())[0])).toBe(2);
      expect(await stores.passkeys.useChallenge({ text: "late", expiresAt: NOW + 10 }, NOW + 5)).toBe(true);
      expect(Number((await count())[0])).toBe(1);
    });
  });
}
