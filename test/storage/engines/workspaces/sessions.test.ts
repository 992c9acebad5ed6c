import { beforeEach, describe, expect, test } from "bun:test";
import { accept } from "#core/errors/errors.ts";
import { DAY_MS } from "#core/time/time.ts";
import {
  member,
  newBytes,
  newId,
  newLink,
  newSession,
  NOW,
  peopleOn,
} from "../../../support/people/engine-people.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`sessions on ${engine.name}`, () => {
    const world = peopleOn(engine);
    const { account, join, signedIn, told } = world;
    let stores: OpenedEngine["stores"];
    let home = "";
    beforeEach(() => void ({ stores, home } = world));

    test("whatever happens to one account, another's password, codes, passkeys, sessions and links stay as they are", async () => {
      const other = await world.newWorkspace();
      const [ada, bob, carol] = ["ada", "bob", "carol"].map((name) => `${name}.${home}@example.com`) as [
        string,
        string,
        string,
      ];
      const links = { invitation: newLink(), reset: newLink(), carols: newLink() };
      await join(bob);
      await stores.users.invite(other, member(bob, "editor"), links.invitation);
      await stores.users.invite(other, member(carol, "editor"), links.carols);
      await stores.users.reset(bob, links.reset, NOW);
      const his = await signedIn(bob);
      const names = { id: newId("pk"), name: "Phone", host: "example.com", credential: newId("cred") };
      const phone = { ...names, publicKey: newBytes("public"), counter: 3, createdAt: NOW };
      expect(await stores.passkeys.add(his, phone, 3)).toBe("added");
      await stores.sessions.proposeTotp(his.userId, "HIS");
      await stores.sessions.confirmTotp(his, "HIS", 3, NOW);
      await stores.sessions.proposeTotp(his.userId, "NEXT");
      const seen = async () => [
        await account(bob),
        await stores.sessions.list(his.userId),
        await stores.passkeys.list(his.userId),
        await stores.sessions.proposedTotp(his.userId),
        await stores.users.findByEmail(home, bob),
        ...(await Promise.all(Object.values(links).map(({ hash }) => stores.sessions.link(hash, NOW)))),
      ];
      const before = await seen();
      expect(before.every((one) => one !== null)).toBe(true);
      expect(before.at(-1)).toMatchObject({ setsPassword: true });

      await join(ada);
      const hers = await signedIn(ada);
      const [browser, next] = [newSession(), newSession()];
      await stores.sessions.open(await account(ada), browser, 1, null);
      await stores.sessions.open(await account(ada), next, null, browser.hash);
      await stores.sessions.markSeen(hers.sessionId, NOW + 9);
      await stores.sessions.proposeTotp(hers.userId, "OTHER");
      expect(await stores.sessions.proposedTotp(his.userId)).toBe("NEXT");
      await stores.sessions.proposeTotp(hers.userId, "NEXT");
      expect(await stores.sessions.confirmTotp(hers, "NEXT", 4, NOW)).toBe(true);
      expect(await stores.sessions.changePassword(await account(ada), "new", hers.sessionId, NOW)).toBe(true);
      await stores.sessions.removeTotp(hers.userId, NOW);
      await stores.users.invite(other, member(ada, "editor"), newLink());
      await stores.users.invite(other, member(ada, "editor"), newLink());
      await stores.users.remove(other, hers.userId, () => accept(null));
      await stores.users.reset(ada, newLink(), NOW);
      await stores.users.remove(home, hers.userId, () => accept(null));
      expect(await seen()).toEqual(before);
    });

    test("a session is opened for what was checked, replaces the browser's, and is told of", async () => {
      const email = `signs.${home}@example.com`;
      await join(email);
      const before = await account(email);
      const [first, second] = [newSession(), newSession(NOW + 5, false)];
      const revision = stores.sessions.revision();
      expect(await stores.sessions.open(before, first, 7, null)).toBe(true);
      expect(stores.sessions.revision()).not.toBe(revision);
      expect((await account(email)).totpStep).toBe(7);
      expect(await stores.sessions.open(before, newSession(), 7, null)).toBe(false);
      expect(await stores.sessions.open(await account(email), second, null, first.hash)).toBe(true);
      expect(await stores.sessions.find(first.hash)).toBeNull();
      const found = (await stores.sessions.find(second.hash))!;
      expect(found).toMatchObject({
        id: second.id,
        stays: false,
        createdAt: NOW + 5,
        lastSeenAt: NOW + 5,
        email,
      });
      expect([...found.roles]).toEqual([[home, "editor"]]);
      await stores.sessions.markSeen(second.id, NOW + 9);
      expect((await stores.sessions.list(found.userId)).map(({ lastSeenAt }) => lastSeenAt)).toEqual([
        NOW + 9,
      ]);
      expect((await stores.users.findByEmail(home, email))!.lastSeenAt).toBe(NOW + 9);
      expect(await stores.sessions.end("usr_none", second.id)).toBe(false);
      expect(await stores.sessions.end(found.userId, second.id)).toBe(true);
      await stores.sessions.failed(email, NOW);
      expect(await told()).toEqual([`${email} sign_in -`, `${email} sign_in -`, `${email} sign_in_failed -`]);
    });

    test("failures with an address that nobody has belong to no workspace", async () => {
      const email = `stranger.${home}@example.com`;
      await stores.sessions.failed(email, NOW);
      expect(await told()).toEqual([]);
      expect(await told(null)).toContain(`${email} sign_in_failed -`);
    });

    test("old sessions go when somebody signs in", async () => {
      const email = `old.${home}@example.com`;
      const { id } = (await join(email))!;
      await stores.sessions.open(await account(email), newSession(NOW), null, null);
      await stores.sessions.open(await account(email), newSession(NOW + 400 * DAY_MS), null, null);
      expect((await stores.sessions.list(id)).length).toBe(1);
    });

    test("a new password ends the other sessions, and only for what was checked", async () => {
      const email = `changes.${home}@example.com`;
      const { id } = (await join(email))!;
      const [kept, other] = [newSession(), newSession()];
      const before = await account(email);
      await stores.sessions.open(before, kept, null, null);
      await stores.sessions.open(before, other, null, null);
      expect(await stores.sessions.changePassword(before, "next", kept.id, NOW)).toBe(true);
      expect(await stores.sessions.changePassword(before, "late", kept.id, NOW)).toBe(false);
      expect((await stores.sessions.list(id)).map((one) => one.id)).toEqual([kept.id]);
      expect((await account(email)).passwordHash).toBe("next");
    });

    test("codes are in use from their confirmation until they are turned off", async () => {
      const email = `codes.${home}@example.com`;
      const { id } = (await join(email))!;
      const by = await signedIn(email);
      await stores.sessions.proposeTotp(id, "SECRET");
      expect([await stores.sessions.proposedTotp(id), (await account(email)).totpSecret]).toEqual([
        "SECRET",
        null,
      ]);
      expect(await stores.sessions.confirmTotp(by, "OTHER", 4, NOW)).toBe(false);
      expect(await stores.sessions.confirmTotp(by, "SECRET", 4, NOW)).toBe(true);
      expect(await account(email)).toMatchObject({ totpSecret: "SECRET", totpStep: 4 });
      await stores.sessions.removeTotp(id, NOW);
      await stores.sessions.removeTotp(id, NOW);
      expect((await account(email)).totpSecret).toBeNull();
      expect((await told()).slice(-2)).toEqual([`${email} codes_turned_on -`, `${email} codes_turned_off -`]);
    });

    test("codes are turned on only while the session that asks is open: none are left of what was asked before a reset", async () => {
      const email = `stolen.${home}@example.com`;
      const { id } = (await join(email))!;
      const [thief, other] = [await signedIn(email), await signedIn(email)];
      await stores.sessions.proposeTotp(id, "STOLEN");
      await stores.sessions.end(id, other.sessionId);
      expect(await stores.sessions.confirmTotp(other, "STOLEN", 4, NOW)).toBe(false);
      await Promise.all([
        stores.users.reset(email, newLink(), NOW),
        stores.sessions.confirmTotp(thief, "STOLEN", 4, NOW),
      ]);
      // Its password was right when it was asked for.
      await stores.sessions.proposeTotp(id, "STOLEN");
      expect(await stores.sessions.confirmTotp(thief, "STOLEN", 4, NOW)).toBe(false);
      expect((await account(email)).totpSecret).toBeNull();
    });

    test("a reset leaves nothing but the newest link", async () => {
      const email = `reset.${home}@example.com`;
      await join(email, "owner");
      const open = newSession();
      await stores.sessions.open(await account(email), open, null, null);
      const [first, second] = [newLink(), newLink()];
      expect(await stores.users.reset("nobody@example.com", first, NOW)).toBe(false);
      expect(await stores.users.reset(email, first, NOW)).toBe(true);
      expect(await stores.users.reset(email, second, NOW)).toBe(true);
      expect([await stores.sessions.find(open.hash), (await account(email)).passwordHash]).toEqual([
        null,
        null,
      ]);
      expect(await stores.sessions.link(first.hash, NOW)).toBeNull();
      expect(await stores.sessions.link(second.hash, NOW)).toMatchObject({ setsPassword: true });
      expect((await told()).at(-1)).toBe(`command line password_reset ${email}`);
    });
  });
}
