/** What one-time links open, and what they end (docs/decisions.md "People and sessions"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Account, NewSession } from "#sessions/store.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;

let made = 0;
const bytes = (name: string): Buffer => Buffer.from(`${name} ${++made}`);
const session = (now = NOW): NewSession => ({
  id: `ses_${++made}`,
  hash: bytes("session"),
  stays: true,
  now,
});
const link = () => ({ hash: bytes("link"), expiresAt: NOW + DAY });

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`a one-time link on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let [home, other] = ["", ""];
    let email = "";

    const workspace = async (): Promise<string> => {
      const id = `ws_${++made}`;
      const key = { id: `key_${made}`, name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
      await stores.workspaces.create({ id, createdAt: NOW }, {}, { ...key, hash: bytes("key") });
      return id;
    };
    const account = async (): Promise<Account> => (await stores.sessions.account(email))!;
    const member = () => ({ id: `usr_${++made}`, email, role: "owner", now: NOW }) as const;
    const invited = async (to: string): Promise<Buffer> => {
      const sent = link();
      await stores.users.invite(to, member(), sent);
      return sent.hash;
    };
    const welcome = async (passwordHash: string | null, totpStep: number | null = null) => ({
      email,
      newUserId: `usr_${++made}`,
      known: await stores.sessions.account(email),
      passwordHash,
      totpStep,
    });

    beforeAll(async () => {
      opened = await engine.open();
      ({ stores } = opened);
    });
    beforeEach(async () => {
      [home, other] = [await workspace(), await workspace()];
      email = `somebody.${home}@example.com`;
    });
    afterAll(() => opened.close());

    test("of an invitation chooses no password while the operator's is out, also for who has joined nothing yet", async () => {
      await invited(home);
      const theirs = await invited(other);
      const reset = link();
      await stores.users.reset(email, reset, NOW);
      expect(await stores.sessions.link(theirs, NOW)).toMatchObject({ setsPassword: false });
      expect(await stores.sessions.welcome(theirs, await welcome("another's"), session(), null)).toBe(false);
      expect((await account()).passwordHash).toBeNull();
      const hers = session();
      expect(await stores.sessions.welcome(reset.hash, await welcome("hers"), hers, null)).toBe(true);
      expect((await stores.sessions.list((await account()).id)).map(({ id }) => id)).toEqual([hers.id]);
    });

    test("of an invitation chooses the password again when the operator's is too old", async () => {
      const sent = { ...link(), expiresAt: NOW + 9 * DAY };
      await stores.users.invite(home, member(), sent);
      await stores.users.reset(email, link(), NOW);
      expect(await stores.sessions.link(sent.hash, NOW + DAY - 1)).toMatchObject({ setsPassword: false });
      expect(await stores.sessions.link(sent.hash, NOW + DAY)).toMatchObject({ setsPassword: true });
    });

    test("opens nothing for what was checked and is true no more: a code that opened something else meanwhile", async () => {
      const { id } = (await stores.users.join(home, member(), "hash")) as { id: string };
      const open = session();
      await stores.sessions.open(await account(), open, null, null);
      await stores.sessions.proposeTotp(id, "SECRET");
      await stores.sessions.confirmTotp({ userId: id, sessionId: open.id }, "SECRET", 4, NOW);
      const [first, second] = [await invited(other), await invited(await workspace())];
      const both = [await welcome(null, 5), await welcome(null, 5)] as const;
      expect(await stores.sessions.welcome(first, both[0], session(), null)).toBe(true);
      expect(await stores.sessions.welcome(second, both[1], session(), null)).toBe(false);
      expect((await stores.sessions.list(id)).length).toBe(2);
      expect(await stores.sessions.welcome(second, await welcome(null, 6), session(), null)).toBe(true);
    });

    test("ends the session that the browser had", async () => {
      await stores.users.join(home, member(), "hash");
      const [before, after] = [session(), session()];
      await stores.sessions.open(await account(), before, null, null);
      const sent = await invited(other);
      expect(await stores.sessions.welcome(sent, await welcome(null), after, before.hash)).toBe(true);
      expect(await stores.sessions.find(before.hash)).toBeNull();
      expect(await stores.sessions.find(after.hash)).toMatchObject({ id: after.id });
    });
  });
}
