import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { NOW, peopleOn } from "../../../support/people/engine-people.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the audit log on ${engine.name}`, () => {
    const world = peopleOn(engine);
    const { join, told } = world;
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let home = "";
    beforeEach(() => void ({ opened, stores, home } = world));

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
        (await opened.values("SELECT at FROM audit ORDER BY seq")).map((at) => (Number(at) - NOW) / DAY_MS);
      const clearAt = async (day: number, entries: number) => {
        for (let n = 0; n < entries; n++) await record(NOW + day * DAY_MS);
        const left = await times();
        await opened.run(`DELETE FROM audit WHERE at = ${NOW + day * DAY_MS}`);
        return left.slice(0, -entries);
      };
      const aheads = Array.from({ length: 45 }, (_, n) => 3_000 + n);
      for (const day of [...aheads, 0, 10, 20]) await record(NOW + day * DAY_MS);
      // As after an act that was taken back.
      await opened.run(
        `DELETE FROM audit WHERE at IN (${[3_001, 3_044, 0].map((day) => NOW + day * DAY_MS).join()})`,
      );
      const kept = [...aheads.filter((day) => day !== 3_001 && day !== 3_044), 10, 20];
      expect(await clearAt(374, 4)).toEqual(kept);
      expect(await clearAt(376, 4)).toEqual([20]);
      expect(await clearAt(386, 4)).toEqual([]);
      for (const day of [3_000, 3_001]) await record(NOW + day * DAY_MS);
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
}
