import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const KEY = {
  id: "key_1",
  name: "k",
  prefix: "p",
  scope: "full",
  hash: Buffer.from("h"),
  createdAt: 1,
} as const;
const STATUSES = ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"];

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`lists on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let lists: OpenedEngine["stores"]["lists"];
    let made = 0;
    const insert = (name: string, workspaceId = "ws_one") =>
      lists.insert(workspaceId, { id: `list_${++made}`, name, createdAt: made });
    const open = () => null;

    beforeAll(async () => {
      opened = await engine.open();
      ({ lists } = opened.stores);
      const { workspaces } = opened.stores;
      await workspaces.create({ id: "ws_one", createdAt: 1 }, {}, KEY);
      await workspaces.create(
        { id: "ws_two", createdAt: 1 },
        {},
        { ...KEY, id: "key_2", hash: Buffer.from("i") },
      );
      const people = STATUSES.map(
        (status, n) => `('con_${n + 1}', 1, '${n}@example.com', '', '', '${status}', '', 1)`,
      );
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${people.join(", ")}`,
      );
    });
    afterAll(() => opened.close());

    test("a list is found in its workspace only, and changed by a rule", async () => {
      const list = await insert("News");
      expect(list).toEqual({
        id: list.id,
        name: "News",
        createdAt: made,
        workspaceId: "ws_one",
        contactCount: 0,
      });
      expect(await lists.find("ws_one", list.id)).toEqual(list);
      expect(await lists.find("ws_two", list.id)).toBeNull();
      const changed = await lists.change("ws_one", list.id, ({ name }) => ({ name: `${name} 2` }));
      expect(changed).toEqual({ ...list, name: "News 2" });
      expect(await lists.find("ws_one", list.id)).toEqual({ ...list, name: "News 2" });
      expect(await lists.change("ws_two", list.id, () => ({ name: "stolen" }))).toBeNull();
    });

    test("changes at the same time follow each other", async () => {
      const { id } = await insert("");
      await Promise.all(
        Array.from({ length: 12 }, () => lists.change("ws_one", id, ({ name }) => ({ name: `${name}x` }))),
      );
      expect((await lists.find("ws_one", id))!.name).toBe("x".repeat(12));
    });

    test("pages come newest first, and a search finds names in any case, signs of patterns as they are", async () => {
      const names = ["Ärzte", "100% sure", "a_b", "back\\slash", "axb", "ärztin"];
      for (const name of names) await insert(name, "ws_two");
      const namesOf = async (q: string | null, limit = 10, before: number | null = null) => {
        const page = await lists.page("ws_two", q, { limit, before });
        return [page.items.map(({ name }) => name), page.total] as const;
      };
      expect(await namesOf(null)).toEqual([names.toReversed(), 6]);
      expect(await namesOf("ÄRZT")).toEqual([["ärztin", "Ärzte"], 2]);
      expect(await namesOf("%")).toEqual([["100% sure"], 1]);
      expect(await namesOf("a_b")).toEqual([["a_b"], 1]);
      expect(await namesOf("\\")).toEqual([["back\\slash"], 1]);
      expect(await namesOf("\0")).toEqual([[], 0]);
      expect(await namesOf("nobody's")).toEqual([[], 0]);
      const first = await lists.page("ws_two", null, { limit: 4, before: null });
      expect(await namesOf(null, 4, first.nextPosition)).toEqual([["100% sure", "Ärzte"], 6]);
    });

    test("what readers see of it is decided over what is stored and over how many are public", async () => {
      const { id } = await insert("Shown");
      const hidden = { public: false, publicName: "", description: "" };
      const shown = { public: true, publicName: "For you", description: "All of it." };
      expect(await lists.options("ws_one", id)).toMatchObject(hidden);
      expect(await lists.hasPublic("ws_one")).toBe(false);
      const seen: number[] = [];
      const decide = (_: unknown, count: number) => (seen.push(count), accept(shown));
      expect(await lists.changeOptions("ws_one", id, decide)).toEqual(accept(shown));
      expect(await lists.changeOptions("ws_one", id, decide)).toEqual(accept(shown));
      expect(seen).toEqual([0, 1]);
      expect(await lists.options("ws_one", id)).toMatchObject(shown);
      expect([await lists.hasPublic("ws_one"), await lists.hasPublic("ws_two")]).toEqual([true, false]);
      const refused = await lists.changeOptions("ws_one", id, () => refuse("VALIDATION_ERROR", "no"));
      expect(refused).toMatchObject({ ok: false });
      expect(await lists.options("ws_one", id)).toMatchObject(shown);
      expect([await lists.options("ws_two", id), await lists.changeOptions("ws_two", id, decide)]).toEqual([
        null,
        null,
      ]);
    });

    test("those join who may, all or nobody, and each once", async () => {
      const { id } = await insert("Members");
      const ids = ["con_1", "con_2", "con_3", "con_4", "con_none"];
      const known: string[][] = [];
      const look = (found: ReadonlySet<string>) => (known.push([...found].toSorted()), null);
      const refusal = { code: "VALIDATION_ERROR", message: "no" } as const;
      expect(await lists.addContacts("ws_one", id, ids, () => refusal, 5)).toEqual({ ok: false, refusal });
      expect((await lists.find("ws_one", id))!.contactCount).toBe(0);
      expect(await lists.addContacts("ws_one", id, ids, look, 5)).toEqual(accept({ added: 2, skipped: 2 }));
      expect(known).toEqual([["con_1", "con_2", "con_3", "con_4"]]);
      expect(await lists.addContacts("ws_one", id, ["con_1"], open, 6)).toEqual(
        accept({ added: 1, skipped: 0 }),
      );
      expect((await lists.find("ws_one", id))!.contactCount).toBe(2);
      expect(await lists.addContacts("ws_one", id, [], open, 6)).toEqual(accept({ added: 0, skipped: 0 }));
      expect(await lists.addContacts("ws_two", id, ids, open, 5)).toBeNull();
      const other = await insert("Elsewhere", "ws_two");
      expect(await lists.addContacts("ws_two", other.id, ids, open, 5)).toEqual(
        accept({ added: 0, skipped: 0 }),
      );
    });

    test("many join at once, whatever the order in which they are named", async () => {
      const rows = Array.from({ length: 5_000 }, (_, n) => n);
      const people = rows.map((n) => `('many_${n}', 2, 'm${n}@example.com', '', '', 'PENDING', '', 1)`);
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${people.join(", ")}`,
      );
      const ids = rows.map((n) => `many_${n}`);
      const { id } = await insert("Many", "ws_two");
      const joined = await Promise.all([
        lists.addContacts("ws_two", id, ids, open, 5),
        lists.addContacts("ws_two", id, ids.toReversed(), open, 5),
      ]);
      expect(joined).toEqual([accept({ added: 5_000, skipped: 0 }), accept({ added: 5_000, skipped: 0 })]);
      expect((await lists.find("ws_two", id))!.contactCount).toBe(5_000);
    });

    test("who leaves is kept with both times, and leaving twice is no error", async () => {
      const { id } = await insert("Left");
      await lists.addContacts("ws_one", id, ["con_1", "con_2"], open, 5);
      expect(await lists.removeContact("ws_one", id, "con_2", 9)).toBe("removed");
      expect(await lists.removeContact("ws_one", id, "con_2", 10)).toBe("removed");
      expect((await lists.find("ws_one", id))!.contactCount).toBe(1);
      const left = "SELECT joined_at || ' ' || left_at FROM list_departures";
      expect(await opened.values(left)).toEqual(["5 9"]);
      expect(await lists.removeContact("ws_one", id, "con_none", 9)).toBe("no contact");
      expect(await lists.removeContact("ws_one", "list_none", "con_2", 9)).toBe("no list");
      expect(await lists.removeContact("ws_two", id, "con_2", 9)).toBe("no list");
    });

    test("a deleted list is gone with its memberships; its people stay, and its campaign is a draft again", async () => {
      const { id } = await insert("Gone");
      await lists.addContacts("ws_one", id, ["con_1", "con_2"], open, 5);
      await lists.removeContact("ws_one", id, "con_2", 9);
      await opened.run(
        `INSERT INTO campaigns (id, workspace, name, subject, search, status, list, scheduled_at, next_try_at, created_at)
         SELECT 'cmp_1', 1, '', '', '', 'SCHEDULED', seq, 7, 7, 1 FROM lists WHERE id = '${id}'`,
      );
      expect(await lists.delete("ws_two", id)).toBe(false);
      expect(await lists.delete("ws_one", id)).toBe(true);
      expect(await lists.delete("ws_one", id)).toBe(false);
      expect(await lists.find("ws_one", id)).toBeNull();
      expect(
        await opened.values("SELECT status FROM campaigns WHERE list IS NULL AND scheduled_at IS NULL"),
      ).toEqual(["DRAFT"]);
      expect((await opened.values("SELECT id FROM contacts WHERE workspace = 1")).length).toBe(4);
    });

    test("who joins while a list is deleted is on no list that is gone", async () => {
      for (let round = 0; round < 10; round++) {
        const { id } = await insert("Fleeting");
        await Promise.all([
          lists.addContacts("ws_one", id, ["con_1", "con_2"], open, 5),
          lists.delete("ws_one", id),
          lists.addContacts("ws_one", id, ["con_2", "con_1"], open, 5),
        ]);
        expect(await lists.find("ws_one", id)).toBeNull();
      }
      const lost = "SELECT contact FROM list_members WHERE list NOT IN (SELECT seq FROM lists)";
      expect(await opened.values(lost)).toEqual([]);
    });
  });
}
