import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import type { Account, NewSession } from "#sessions/store.ts";
import type { Role } from "#users/role.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;

let made = 0;
const bytes = (name: string): Buffer => Buffer.from(`${name} ${++made}`);
const key = () =>
  ({ id: `key_${++made}`, name: "k", prefix: "p", scope: "full", hash: bytes("key"), createdAt: 1 }) as const;
const session = (now = NOW, stays = true): NewSession => ({
  id: `ses_${++made}`,
  hash: bytes("session"),
  stays,
  now,
});
const link = (expiresAt = NOW + DAY) => ({ hash: bytes("link"), expiresAt });
const welcome = (email: string, passwordHash: string | null, known: Account | null = null) => ({
  email,
  newUserId: `usr_${++made}`,
  known,
  passwordHash,
  totpStep: null,
});
const yes = () => accept(null);

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`people on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    /** A workspace of each test, so that none sees another's people. */
    let home = "";

    const member = (email: string, role: Role) => ({ id: `usr_${++made}`, email, role, now: NOW });
    const join = async (email: string, role: Role = "editor", password = "hash") => {
      const joined = await stores.users.join(home, member(email, role), password);
      if (joined === "has-password") throw new Error(`${email} has a password already`);
      return joined;
    };
    const account = async (email: string): Promise<Account> => (await stores.sessions.account(email))!;
    const told = async (workspaceId: string | null = home) => {
      const entries: string[] = [];
      for await (const { who, what, target } of stores.audit.entries(workspaceId))
        entries.push(`${who} ${what} ${target ?? "-"}`);
      return entries.toReversed();
    };

    beforeAll(async () => {
      opened = await engine.open();
      ({ stores } = opened);
    });
    beforeEach(async () => {
      home = `ws_${++made}`;
      await stores.workspaces.create({ id: home, createdAt: NOW }, {}, key());
    });
    afterAll(() => opened.close());

    test("somebody joins once, and is found by id and address in this workspace only", async () => {
      const ada = (await join("ada@example.com", "owner"))!;
      expect(ada).toMatchObject({ email: "ada@example.com", role: "owner", joinedAt: NOW, lastSeenAt: null });
      expect(await join("ada@example.com")).toBeNull();
      expect(await stores.users.find(home, ada.id)).toEqual(ada);
      expect(await stores.users.findByEmail(home, "ada@example.com")).toEqual(ada);
      const other = `ws_${++made}`;
      await stores.workspaces.create({ id: other, createdAt: NOW }, {}, key());
      expect(await stores.users.find(other, ada.id)).toBeNull();
      // Somebody else may have chosen the password that she has.
      expect(await stores.users.join(other, member("ada@example.com", "viewer"), "other")).toBe(
        "has-password",
      );
      expect(await stores.users.findByEmail(other, "ada@example.com")).toBeNull();
      expect((await account("ada@example.com")).passwordHash).toBe("hash");
    });

    test("twelve who add the same person at once add them once", async () => {
      const added = await Promise.all(Array.from({ length: 12 }, () => join("twelve@example.com")));
      expect(added.filter((one) => one !== null).length).toBe(1);
      expect((await stores.users.list(home)).length).toBe(1);
    });

    test("people come newest first, whole or by pages", async () => {
      for (const name of ["p1", "p2", "p3"]) await join(`${name}.${home}@example.com`);
      const all = await stores.users.list(home);
      expect(all.map(({ email }) => email.slice(0, 2))).toEqual(["p3", "p2", "p1"]);
      const first = await stores.users.page(home, { limit: 2, before: null });
      const second = await stores.users.page(home, { limit: 2, before: first.nextPosition });
      expect([first.total, first.items, second.items, second.nextPosition]).toEqual([
        3,
        all.slice(0, 2),
        all.slice(2),
        null,
      ]);
    });

    test("a role is changed, and a person removed, only as the check allows; of two last owners one stays", async () => {
      const one = (await join(`one.${home}@example.com`, "owner"))!;
      const two = (await join(`two.${home}@example.com`, "owner"))!;
      const seen: number[] = [];
      const no = refuse("FORBIDDEN", "no");
      const look = (_: unknown, owners: number) => (seen.push(owners), no);
      expect(await stores.users.changeRole(home, one.id, "viewer", look)).toEqual(no);
      expect(await stores.users.remove(home, one.id, look)).toEqual(no);
      expect(seen).toEqual([2, 2]);
      expect(await stores.users.changeRole(home, "usr_none", "viewer", yes)).toBeNull();
      const keepsOne = (_: unknown, owners: number) => (owners > 1 ? accept(null) : no);
      const left = await Promise.all([
        stores.users.remove(home, one.id, keepsOne),
        stores.users.changeRole(home, two.id, "viewer", keepsOne),
      ]);
      expect(left.filter((result) => result?.ok).length).toBe(1);
    });

    test("who leaves their last workspace is gone, with sessions and passkeys", async () => {
      const email = `gone.${home}@example.com`;
      const { id } = (await join(email))!;
      const open = session();
      expect(await stores.sessions.open(await account(email), open, null, null)).toBe(true);
      expect(await stores.users.remove(home, id, yes)).toEqual(accept(null));
      expect(await stores.sessions.account(email)).toBeNull();
      expect(await stores.sessions.find(open.hash)).toBeNull();
      expect((await join(email))!.id).not.toBe(id);
    });

    test("an invited person joins by the link once, and until then may enter nothing", async () => {
      const email = `invited.${home}@example.com`;
      const sent = link();
      await stores.users.invite(home, member(email, "editor"), sent);
      expect(await stores.sessions.link(sent.hash, NOW)).toMatchObject({
        kind: "person",
        setsPassword: true,
      });
      expect(await stores.sessions.link(sent.hash, NOW + DAY)).toBeNull();
      const known = await account(email);
      const uses = await Promise.all(
        Array.from({ length: 5 }, () =>
          stores.sessions.welcome(sent.hash, welcome(email, "new", known), session(), null),
        ),
      );
      expect(uses.filter(Boolean).length).toBe(1);
      expect((await account(email)).passwordHash).toBe("new");
      expect(await stores.users.findByEmail(home, email)).toMatchObject({ joinedAt: NOW });
      expect(await told()).toEqual([`${email} joined -`]);
      expect(await stores.sessions.link(sent.hash, NOW)).toBeNull();
    });

    test("a link of somebody who has a password opens nothing without it", async () => {
      const email = `known.${home}@example.com`;
      await join(email);
      const other = `ws_${++made}`;
      await stores.workspaces.create({ id: other, createdAt: NOW }, {}, key());
      const sent = link();
      await stores.users.invite(other, member(email, "editor"), sent);
      expect(await stores.sessions.link(sent.hash, NOW)).toMatchObject({ setsPassword: false });
      const hers = await account(email);
      const old = { ...hers, passwordHash: "other" };
      expect(await stores.sessions.welcome(sent.hash, welcome(email, "stolen", hers), session(), null)).toBe(
        false,
      );
      expect(await stores.sessions.welcome(sent.hash, welcome(email, null, old), session(), null)).toBe(
        false,
      );
      const open = session();
      expect(await stores.sessions.welcome(sent.hash, welcome(email, null, hers), open, null)).toBe(true);
      expect([...(await stores.sessions.find(open.hash))!.roles.keys()].toSorted()).toEqual(
        [home, other].toSorted(),
      );
    });

    test("a workspace learns when somebody was seen only once they have joined it", async () => {
      const email = `apart.${home}@example.com`;
      await join(email);
      await stores.sessions.open(await account(email), session(), null, null);
      const other = `ws_${++made}`;
      await stores.workspaces.create({ id: other, createdAt: NOW }, {}, key());
      const sent = link();
      const answered = await stores.users.invite(other, member(email, "viewer"), sent);
      const read = async () => [
        await stores.users.find(other, answered!.id),
        await stores.users.findByEmail(other, email),
        ...(await stores.users.list(other)),
        ...(await stores.users.page(other, { limit: 9, before: null })).items,
      ];
      const changed = await stores.users.changeRole(other, answered!.id, "editor", yes);
      const answers = [answered, changed?.ok && changed.value, ...(await read())];
      expect(answers.map((one) => one && one.lastSeenAt)).toEqual([null, null, null, null, null, null]);
      expect((await stores.users.findByEmail(home, email))!.lastSeenAt).toBe(NOW);
      await stores.sessions.welcome(
        sent.hash,
        welcome(email, null, await account(email)),
        session(NOW + 9),
        null,
      );
      expect((await read()).map((one) => one!.lastSeenAt)).toEqual([NOW + 9, NOW + 9, NOW + 9, NOW + 9]);
    });

    test("a session is opened for what was checked, replaces the browser's, and is told of", async () => {
      const email = `signs.${home}@example.com`;
      await join(email);
      const before = await account(email);
      const [first, second] = [session(), session(NOW + 5, false)];
      const revision = stores.sessions.revision();
      expect(await stores.sessions.open(before, first, 7, null)).toBe(true);
      expect(stores.sessions.revision()).not.toBe(revision);
      expect((await account(email)).totpStep).toBe(7);
      expect(await stores.sessions.open(before, session(), 7, null)).toBe(false);
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
      await stores.sessions.open(await account(email), session(NOW), null, null);
      await stores.sessions.open(await account(email), session(NOW + 400 * DAY), null, null);
      expect((await stores.sessions.list(id)).length).toBe(1);
    });

    test("a new password ends the other sessions, and only for what was checked", async () => {
      const email = `changes.${home}@example.com`;
      const { id } = (await join(email))!;
      const [kept, other] = [session(), session()];
      const before = await account(email);
      await stores.sessions.open(before, kept, null, null);
      await stores.sessions.open(before, other, null, null);
      expect(await stores.sessions.changePassword(before, "next", kept.id, NOW)).toBe(true);
      expect(await stores.sessions.changePassword(before, "late", kept.id, NOW)).toBe(false);
      expect((await stores.sessions.list(id)).map((one) => one.id)).toEqual([kept.id]);
      expect((await account(email)).passwordHash).toBe("next");
    });

    /** Signs in, as whoever adds codes or a passkey has. */
    const signedIn = async (email: string) => {
      const open = session();
      await stores.sessions.open(await account(email), open, null, null);
      return { userId: (await account(email)).id, sessionId: open.id };
    };

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
        stores.users.reset(email, link(), NOW),
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
      const open = session();
      await stores.sessions.open(await account(email), open, null, null);
      const [first, second] = [link(), link()];
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

    const passkey = () => ({
      id: `pk_${++made}`,
      name: "Phone",
      host: "example.com",
      credential: `cred_${made}`,
      publicKey: bytes("public"),
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
      const uses = await Promise.all([1, 2].map(() => stores.passkeys.open(found, 4, session(), null)));
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
        stores.users.reset(email, link(), NOW),
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

    test("pages of the audit log, by kind or all", async () => {
      const email = `log.${home}@example.com`;
      await join(email);
      for (let n = 0; n < 3; n++) await stores.sessions.failed(email, NOW + n);
      await stores.backups.record({ email, what: "backup_made", target: "bak_1", at: NOW + 9 });
      const all = await stores.audit.page(home, { what: null }, { limit: 2, before: null });
      expect([all.total, all.items.map(({ at }) => at - NOW)]).toEqual([4, [9, 2]]);
      const failed = { what: "sign_in_failed" };
      const some = await stores.audit.page(home, failed, { limit: 2, before: null });
      const rest = await stores.audit.page(home, failed, { limit: 2, before: some.nextPosition });
      expect([some.total, some.items.length, rest.items.length, rest.nextPosition]).toEqual([3, 2, 1, null]);
      expect((await stores.audit.page(home, { what: "nothing" }, { limit: 2, before: null })).total).toBe(0);
    });

    test("what was recorded while the clock was ahead keeps no later entry for longer, nor is it kept longer itself", async () => {
      await opened.run("DELETE FROM audit");
      const record = (at: number) =>
        stores.audit.settle({ workspaceId: home, who: "ada", what: "made", at, target: null, entry: null });
      const times = async (): Promise<number[]> =>
        (await opened.values("SELECT at FROM audit ORDER BY seq")).map((at) => (Number(at) - NOW) / DAY);
      const clearAt = async (day: number, entries: number) => {
        for (let n = 0; n < entries; n++) await record(NOW + day * DAY);
        const left = await times();
        await opened.run(`DELETE FROM audit WHERE at = ${NOW + day * DAY}`);
        return left.slice(0, -entries);
      };
      const aheads = Array.from({ length: 45 }, (_, n) => 3_000 + n);
      for (const day of [...aheads, 0, 10, 20]) await record(NOW + day * DAY);
      // As after an act that was taken back.
      await opened.run(
        `DELETE FROM audit WHERE at IN (${[3_001, 3_044, 0].map((day) => NOW + day * DAY).join()})`,
      );
      const kept = [...aheads.filter((day) => day !== 3_001 && day !== 3_044), 10, 20];
      expect(await clearAt(374, 4)).toEqual(kept);
      expect(await clearAt(376, 4)).toEqual([20]);
      expect(await clearAt(386, 4)).toEqual([]);
      for (const day of [3_000, 3_001]) await record(NOW + day * DAY);
      // Where all look so, the clock may be behind.
      expect(await clearAt(5, 4)).toEqual([3_000, 3_001]);
    });

    test("an act is completed, or taken back, after it was done", async () => {
      const act = {
        workspaceId: home,
        who: "ada",
        what: "made",
        at: NOW,
        target: null as string | null,
        entry: null,
      };
      await stores.audit.settle({ ...act, onlyIfChanged: true });
      expect(await told()).toEqual([]);
      const kept = { ...act, entry: null as { seq: number; target: string | null } | null };
      await stores.audit.settle(kept);
      expect([await told(), kept.entry?.target]).toEqual([["ada made -"], null]);
      kept.target = "it";
      await stores.audit.settle(kept);
      expect(await told()).toEqual(["ada made it"]);
      await stores.audit.takeBack(kept);
      expect([await told(), kept.entry]).toEqual([[], null]);
    });
  });

  describe.skipIf(engine.isMissing)(`the first owner on ${engine.name}`, () => {
    let opened: OpenedEngine;
    afterAll(() => opened.close());

    test("is who uses the newest first link; it owns all there is, and then nobody else is the first", async () => {
      opened = await engine.open();
      const { users, sessions, workspaces, backups } = opened.stores;
      for (const id of ["ws_a", "ws_b"]) await workspaces.create({ id, createdAt: NOW }, {}, key());
      const [old, first] = [bytes("first"), bytes("first")];
      expect([await users.keepFirstLink(old), await users.keepFirstLink(first)]).toEqual([true, true]);
      expect([await sessions.link(old, NOW), await sessions.link(first, NOW)]).toEqual([
        null,
        { kind: "first" },
      ]);
      const open = session();
      const uses = await Promise.all([
        sessions.welcome(first, welcome("ada@example.com", "hash"), open, null),
        sessions.welcome(first, welcome("eve@example.com", "hash"), session(), null),
      ]);
      expect(uses.filter(Boolean).length).toBe(1);
      const owner = (await users.list("ws_a"))[0]!;
      expect((await users.list("ws_b")).map(({ id, role }) => [id, role])).toEqual([[owner.id, "owner"]]);
      expect(await users.keepFirstLink(bytes("first"))).toBe(false);
      expect(await backups.ownsEverything(owner.id)).toBe(true);
      await workspaces.create({ id: "ws_c", createdAt: NOW }, {}, key());
      expect([await backups.ownsEverything(owner.id), await backups.ownsEverything("usr_none")]).toEqual([
        false,
        false,
      ]);
    });
  });
}
