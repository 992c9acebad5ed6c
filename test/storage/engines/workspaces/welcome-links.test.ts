/** What one-time links open, and what they end (docs/decisions.md "People and sessions"). */
import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { newId, newLink, newSession, NOW, peopleOn } from "../../../support/people/engine-people.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`a one-time link on ${engine.name}`, () => {
    const world = peopleOn(engine);
    const { newWorkspace } = world;
    let stores: OpenedEngine["stores"];
    let [home, other] = ["", ""];
    let email = "";

    const account = () => world.account(email);
    const member = () => ({ id: newId("usr"), email, role: "owner", now: NOW }) as const;
    const invited = async (to: string): Promise<Buffer> => {
      const sent = newLink();
      await stores.users.invite(to, member(), sent);
      return sent.hash;
    };
    const welcome = async (passwordHash: string | null, totpStep: number | null = null) => ({
      email,
      newUserId: newId("usr"),
      known: await stores.sessions.account(email),
      passwordHash,
      totpStep,
    });

    beforeEach(async () => {
      ({ stores, home } = world);
      other = await newWorkspace();
      email = `somebody.${home}@example.com`;
    });

    test("lets in its own person: of an invitation to its workspace, of a reset wherever they are invited", async () => {
      const joined = async (workspace: string) =>
        (await stores.users.list(workspace))
          .filter(({ joinedAt }) => joinedAt !== null)
          .map((one) => one.email);
      const somebodyElse = { ...member(), email: `else.${home}@example.com` };
      for (const workspace of [home, other]) await stores.users.invite(workspace, somebodyElse, newLink());
      const sent = await invited(home);
      await invited(other);
      expect(await stores.sessions.welcome(sent, await welcome("hers"), newSession(), null)).toBe(true);
      expect([await joined(home), await joined(other)]).toEqual([[email], []]);
      const reset = newLink();
      await stores.users.reset(email, reset, NOW);
      expect(await stores.sessions.welcome(reset.hash, await welcome("hers"), newSession(), null)).toBe(true);
      expect([await joined(home), await joined(other)]).toEqual([[email], [email]]);
    });

    test("of an invitation chooses no password while the operator's is out, also for who has joined nothing yet", async () => {
      await invited(home);
      const theirs = await invited(other);
      const reset = newLink();
      await stores.users.reset(email, reset, NOW);
      expect(await stores.sessions.link(theirs, NOW)).toMatchObject({ setsPassword: false });
      expect(await stores.sessions.welcome(theirs, await welcome("another's"), newSession(), null)).toBe(
        false,
      );
      expect((await account()).passwordHash).toBeNull();
      const hers = newSession();
      expect(await stores.sessions.welcome(reset.hash, await welcome("hers"), hers, null)).toBe(true);
      expect((await stores.sessions.list((await account()).id)).map(({ id }) => id)).toEqual([hers.id]);
    });

    test("of an invitation chooses the password again when the operator's is too old", async () => {
      const sent = { ...newLink(), expiresAt: NOW + 9 * DAY_MS };
      await stores.users.invite(home, member(), sent);
      await stores.users.reset(email, newLink(), NOW);
      expect(await stores.sessions.link(sent.hash, NOW + DAY_MS - 1)).toMatchObject({ setsPassword: false });
      expect(await stores.sessions.link(sent.hash, NOW + DAY_MS)).toMatchObject({ setsPassword: true });
    });

    test("opens nothing for what was checked and is true no more: a code that opened something else meanwhile", async () => {
      const { id } = (await stores.users.join(home, member(), "hash")) as { id: string };
      const open = newSession();
      await stores.sessions.open(await account(), open, null, null);
      await stores.sessions.proposeTotp(id, "SECRET");
      await stores.sessions.confirmTotp({ userId: id, sessionId: open.id }, "SECRET", 4, NOW);
      const [first, second] = [await invited(other), await invited(await newWorkspace())];
      const both = [await welcome(null, 5), await welcome(null, 5)] as const;
      expect(await stores.sessions.welcome(first, both[0], newSession(), null)).toBe(true);
      expect(await stores.sessions.welcome(second, both[1], newSession(), null)).toBe(false);
      expect((await stores.sessions.list(id)).length).toBe(2);
      expect(await stores.sessions.welcome(second, await welcome(null, 6), newSession(), null)).toBe(true);
    });

    test("ends the session that the browser had", async () => {
      await stores.users.join(home, member(), "hash");
      const [before, after] = [newSession(), newSession()];
      await stores.sessions.open(await account(), before, null, null);
      const sent = await invited(other);
      expect(await stores.sessions.welcome(sent, await welcome(null), after, before.hash)).toBe(true);
      expect(await stores.sessions.find(before.hash)).toBeNull();
      expect(await stores.sessions.find(after.hash)).toMatchObject({ id: after.id });
    });
  });
}
