import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`scoring on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let scoring: OpenedEngine["stores"]["scoring"];
    let made = 0;
    const rule = (event: string, points: number, minValueCents: number | null = null) => ({
      id: `rule_${++made}`,
      event,
      points,
      minValueCents,
      createdAt: made,
    });

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ scoring } = opened.stores);
    });
    afterAll(() => opened.close());

    test("rules come oldest first, their pages newest first, in their workspace only", async () => {
      const rules = [rule("bought", 5), rule("seen", 1, 100), rule("bought", -2)];
      for (const one of rules) expect(await scoring.add("ws_two", one, 100)).toEqual(one);
      expect(await scoring.list("ws_two")).toEqual(rules);
      expect(await scoring.list("ws_one")).toEqual([]);
      const first = await scoring.page("ws_two", { limit: 2, before: null });
      expect(first).toMatchObject({ items: [rules[2]!, rules[1]!], total: 3 });
      expect(await scoring.page("ws_two", { limit: 2, before: first.nextPosition })).toEqual({
        items: [rules[0]!],
        total: 3,
        nextPosition: null,
      });
      expect(await scoring.remove("ws_one", rules[0]!.id)).toBe(false);
      expect(await scoring.remove("ws_two", rules[0]!.id)).toBe(true);
      expect(await scoring.remove("ws_two", rules[0]!.id)).toBe(false);
      expect(await scoring.list("ws_two")).toEqual(rules.slice(1));
    });

    test("no more are added than there may be, however many ask at once", async () => {
      const added = await Promise.all(
        Array.from({ length: 12 }, () => scoring.add("ws_one", rule("raced", 1), 4)),
      );
      expect(added.filter((one) => one !== null)).toHaveLength(4);
      expect(await scoring.list("ws_one")).toHaveLength(4);
    });

    test("a score is what the rules of this moment give for each event", async () => {
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         VALUES ('con_1', 2, 'a@example.com', '', '', 'PENDING', '', 1), ('con_2', 2, 'b@example.com', '', '', 'PENDING', '', 1)`,
      );
      for (const [name, cents] of [
        ["bought", "NULL"],
        ["bought", "50"],
        ["seen", "99"],
        ["seen", "100"],
        ["seen", "NULL"],
      ])
        await opened.run(
          `INSERT INTO events (id, workspace, name, contact, properties, value_cents, created_at)
           SELECT 'evt', 2, '${name}', seq, '{}', ${cents}, 1 FROM contacts WHERE id = 'con_1'`,
        );
      expect(await scoring.score("ws_two", "con_1")).toBe(1 - 2 - 2);
      await scoring.add("ws_two", rule("bought", 10, 0), 100);
      expect(await scoring.score("ws_two", "con_1")).toBe(7);
      expect(await scoring.score("ws_two", "con_2")).toBe(0);
      expect(await scoring.score("ws_one", "con_1")).toBeNull();
      expect(await scoring.score("ws_two", "con_none")).toBeNull();
    });
  });
}
