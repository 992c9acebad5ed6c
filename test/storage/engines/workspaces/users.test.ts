import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import { DAY_MS } from "#core/time/time.ts";
import {
  member,
  newBytes,
  newKey,
  newLink,
  newSession,
  NOW,
  peopleOn,
  welcome,
} from "../../../support/people/engine-people.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const yes = () => accept(null);

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`people on ${engine.name}`, () => {
    const world = peopleOn(engine);
    const { account, join, newWorkspace, told } = world;
    let stores: OpenedEngine["stores"];
    let home = "";
    beforeEach(() => void ({ stores, home } = world));

    test("somebody joins once, and is found by id and address in this workspace only", async () => {
      const ada = (await join("ada@example.com", "owner"))!;
      expect(ada).toMatchObject({ email: "ada@example.com", role: "owner", joinedAt: NOW, lastSeenAt: null });
      expect(await join("ada@example.com")).toBeNull();
      expect(await stores.users.find(home, ada.id)).toEqual(ada);
      expect(await stores.users.findByEmail(home, "ada@example.com")).toEqual(ada);
      const other = await newWorkspace();
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
      // No owner by now, and not in the workspace by now.
      await join(`editor.${home}@example.com`, "editor");
      await stores.users.invite(home, member(`invited-owner.${home}@example.com`, "owner"), newLink());
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
      const open = newSession();
      expect(await stores.sessions.open(await account(email), open, null, null)).toBe(true);
      expect(await stores.users.remove(home, id, yes)).toEqual(accept(null));
      expect(await stores.sessions.account(email)).toBeNull();
      expect(await stores.sessions.find(open.hash)).toBeNull();
      expect((await join(email))!.id).not.toBe(id);
    });

    test("an invited person joins by the link once, and until then may enter nothing", async () => {
      const email = `invited.${home}@example.com`;
      const sent = newLink();
      await stores.users.invite(home, member(email, "editor"), sent);
      expect(await stores.sessions.link(sent.hash, NOW)).toMatchObject({
        kind: "person",
        setsPassword: true,
      });
      expect(await stores.sessions.link(sent.hash, NOW + DAY_MS)).toBeNull();
      const known = await account(email);
      const uses = await Promise.all(
        Array.from({ length: 5 }, () =>
          stores.sessions.welcome(sent.hash, welcome(email, "new", known), newSession(), null),
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
      const other = await newWorkspace();
      const sent = newLink();
      await stores.users.invite(other, member(email, "editor"), sent);
      expect(await stores.sessions.link(sent.hash, NOW)).toMatchObject({ setsPassword: false });
      const hers = await account(email);
      const old = { ...hers, passwordHash: "other" };
      expect(
        await stores.sessions.welcome(sent.hash, welcome(email, "stolen", hers), newSession(), null),
      ).toBe(false);
      expect(await stores.sessions.welcome(sent.hash, welcome(email, null, old), newSession(), null)).toBe(
        false,
      );
      const open = newSession();
      expect(await stores.sessions.welcome(sent.hash, welcome(email, null, hers), open, null)).toBe(true);
      expect([...(await stores.sessions.find(open.hash))!.roles.keys()].toSorted()).toEqual(
        [home, other].toSorted(),
      );
    });

    test("a workspace learns when somebody was seen only once they have joined it", async () => {
      const email = `apart.${home}@example.com`;
      await join(email);
      await stores.sessions.open(await account(email), newSession(), null, null);
      const other = await newWorkspace();
      const sent = newLink();
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
        newSession(NOW + 9),
        null,
      );
      expect((await read()).map((one) => one!.lastSeenAt)).toEqual([NOW + 9, NOW + 9, NOW + 9, NOW + 9]);
    });
  });

  describe.skipIf(engine.isMissing)(`the first owner on ${engine.name}`, () => {
    let opened: OpenedEngine;
    afterAll(() => opened.close());

    test("is who uses the newest first link; it owns all there is, and then nobody else is the first", async () => {
      opened = await engine.open();
      const { users, sessions, workspaces, backups } = opened.stores;
      for (const id of ["ws_a", "ws_b"]) await workspaces.create({ id, createdAt: NOW }, {}, newKey());
      const [old, first] = [newBytes("first"), newBytes("first")];
      expect([await users.keepFirstLink(old), await users.keepFirstLink(first)]).toEqual([true, true]);
      expect([await sessions.link(old, NOW), await sessions.link(first, NOW)]).toEqual([
        null,
        { kind: "first" },
      ]);
      const open = newSession();
      const uses = await Promise.all([
        sessions.welcome(first, welcome("ada@example.com", "hash"), open, null),
        sessions.welcome(first, welcome("eve@example.com", "hash"), newSession(), null),
      ]);
      expect(uses.filter(Boolean).length).toBe(1);
      const owner = (await users.list("ws_a"))[0]!;
      expect((await users.list("ws_b")).map(({ id, role }) => [id, role])).toEqual([[owner.id, "owner"]]);
      expect(await users.keepFirstLink(newBytes("first"))).toBe(false);
      expect(await backups.ownsEverything(owner.id)).toBe(true);
      await workspaces.create({ id: "ws_c", createdAt: NOW }, {}, newKey());
      expect([await backups.ownsEverything(owner.id), await backups.ownsEverything("usr_none")]).toEqual([
        false,
        false,
      ]);
    });
  });
}
