import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import type { KeyRow } from "#keys/store.ts";
import { newList } from "../../../support/people/lists.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";

let made = 0;
const key = (name: string): KeyRow => ({
  id: `key_${++made}`,
  name,
  prefix: "pk_abc",
  scope: "send",
  hash: Buffer.from(`hash of ${made}`),
  createdAt: 1_800_000_000_000 + made,
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`workspaces and keys on ${engine.name}`, () => {
    const clock = manualClock();
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    beforeAll(async () => {
      opened = await engine.open(clock);
      ({ stores } = opened);
      await stores.workspaces.create({ id: "ws_one", createdAt: 5 }, { fromName: "One" }, key("first"));
      await stores.workspaces.create({ id: "ws_two", createdAt: 6 }, {}, key("other"));
    });
    afterAll(() => opened.close());

    test("a workspace is made with its settings and its key, or not at all", async () => {
      expect(await stores.workspaces.list()).toEqual([
        { id: "ws_one", createdAt: 5 },
        { id: "ws_two", createdAt: 6 },
      ]);
      expect((await stores.workspaces.settings("ws_one")).fromName).toBe("One");
      const taken = key("taken");
      await stores.keys.insert("ws_two", taken);
      const failing = stores.workspaces.create({ id: "ws_three", createdAt: 7 }, {}, taken);
      expect(
        await failing.then(
          () => "made",
          () => "failed",
        ),
      ).toBe("failed");
      expect((await stores.workspaces.list()).length).toBe(2);
    });

    test("an unknown workspace is NOT_FOUND, wherever it is named", async () => {
      const asked = [
        stores.workspaces.settings("ws_none"),
        stores.workspaces.counts("ws_none"),
        stores.keys.list("ws_none"),
        stores.keys.insert("ws_none", key("nobody's")),
      ];
      const answers = await Promise.allSettled(asked);
      expect(answers.map((answer) => (answer as PromiseRejectedResult).reason.code)).toEqual(
        asked.map(() => "NOT_FOUND"),
      );
    });

    test("a change of settings is decided over what is stored, and a refusal writes nothing", async () => {
      const { workspaces } = stores;
      const done = await workspaces.changeSettings("ws_one", (stored) =>
        accept({ fromName: `${stored().fromName}!` }),
      );
      expect(done).toEqual(accept({ fromName: "One!" }));
      const refused = await workspaces.changeSettings("ws_one", () => refuse("VALIDATION_ERROR", "no"));
      expect(refused.ok).toBe(false);
      expect((await workspaces.settings("ws_one")).fromName).toBe("One!");
      expect((await workspaces.settings("ws_two")).fromName).toBe("");
      expect(await workspaces.holders("fromName")).toEqual([{ workspaceId: "ws_one", value: "One!" }]);
    });

    test("changes of settings at the same time follow each other", async () => {
      const { workspaces } = stores;
      await workspaces.changeSettings("ws_two", () => accept({ fromName: "" }));
      const adding = Array.from({ length: 12 }, () =>
        workspaces.changeSettings("ws_two", (stored) => accept({ fromName: `${stored().fromName}x` })),
      );
      await Promise.all(adding);
      expect((await workspaces.settings("ws_two")).fromName).toBe("x".repeat(12));
    });

    test("a new workspace is empty, and counts are its own", async () => {
      await stores.lists.insert("ws_one", newList("list_counted", { name: "A" }));
      const nobody = { PENDING: 0, SUBSCRIBED: 0, UNSUBSCRIBED: 0, BOUNCED: 0 };
      expect(await stores.workspaces.counts("ws_one")).toEqual({ contacts: nobody, lists: 1, campaigns: 0 });
      expect(await stores.workspaces.counts("ws_two")).toEqual({ contacts: nobody, lists: 0, campaigns: 0 });
    });

    test("a key is found by its hash until it is revoked, which happens once", async () => {
      const one = key("one");
      await stores.keys.insert("ws_one", one);
      const live = {
        workspaceId: "ws_one",
        id: one.id,
        name: "one",
        scope: "send",
        lastUsedAt: null,
      } as const;
      expect(await stores.keys.findLive(one.hash)).toEqual(live);
      await stores.keys.markUsed(one.id, 77);
      expect(await stores.keys.findLive(one.hash)).toEqual({ ...live, lastUsedAt: 77 });
      expect(await stores.keys.findLive(Buffer.from("no such hash"))).toBeNull();
      expect(await stores.keys.revoke("ws_two", one.id, 88)).toBeNull();
      expect(await stores.keys.revoke("ws_one", one.id, 88)).toMatchObject({ id: one.id, revokedAt: 88 });
      expect(await stores.keys.revoke("ws_one", one.id, 99)).toMatchObject({ revokedAt: 88 });
      expect(await stores.keys.findLive(one.hash)).toBeNull();
    });

    test("keys come newest first, whole or by pages, with the revoked ones and without their hashes", async () => {
      await stores.workspaces.create({ id: "ws_keys", createdAt: 8 }, {}, key("k0"));
      for (const name of ["k1", "k2", "k3", "k4"]) await stores.keys.insert("ws_keys", key(name));
      const all = await stores.keys.list("ws_keys");
      expect(all.map(({ name }) => name)).toEqual(["k4", "k3", "k2", "k1", "k0"]);
      expect(Object.keys(all[0]!).toSorted()).toEqual(
        ["id", "name", "prefix", "scope", "createdAt", "lastUsedAt", "revokedAt"].toSorted(),
      );
      const first = await stores.keys.page("ws_keys", { limit: 2, before: null });
      const second = await stores.keys.page("ws_keys", { limit: 3, before: first.nextPosition });
      expect([first.total, first.items, second.total, second.items, second.nextPosition]).toEqual([
        5,
        all.slice(0, 2),
        5,
        all.slice(2),
        null,
      ]);
    });

    test("the revision is a new one after each change, and no old one comes back", async () => {
      const { keys, workspaces } = stores;
      const seen = new Set<number>();
      const look = (): void => {
        const revision = keys.revision() + workspaces.revision();
        expect(seen.has(revision)).toBe(false);
        seen.add(revision);
      };
      const one = key("revised");
      await keys.insert("ws_one", one);
      look();
      await workspaces.changeSettings("ws_one", () => accept({ fromName: "New" }));
      look();
      await keys.revoke("ws_one", one.id, 1);
      look();
      await workspaces.create({ id: "ws_revised", createdAt: 9 }, {}, key("again"));
      look();
    });
  });
}
