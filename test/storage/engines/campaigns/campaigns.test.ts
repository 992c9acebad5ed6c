import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_OPTIONS } from "#campaigns/options/options.ts";
import type { CampaignStore } from "#campaigns/store.ts";
import { accept, refuse } from "#core/errors/errors.ts";
import { newList } from "../../../support/people/lists.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_800_000_000_000;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`campaigns on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let campaigns: CampaignStore;
    let made = 0;
    const insert = async (
      given: { name?: string; subject?: string; listId?: string } = {},
      workspace = "ws_one",
    ) => {
      const { name = "News", subject = "Hello", listId = null } = given;
      const row = { id: `cam_${++made}`, name, subject, body: "<p>Hi</p>", listId, createdAt: made };
      return (await campaigns.insert(workspace, row))!;
    };
    const schedule = (id: string, scheduledAt: number | null) =>
      campaigns.change("ws_one", id, [], () => accept({ scheduledAt }));
    const column = (name: string, id: string) =>
      opened.values(`SELECT ${name} FROM campaigns WHERE id = '${id}'`);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ campaigns } = opened.stores);
      for (const [workspace, id] of [
        ["ws_one", "list_a"],
        ["ws_one", "list_b"],
        ["ws_two", "list_two"],
      ] as const)
        await opened.stores.lists.insert(workspace, newList(id));
      await opened.run(
        `INSERT INTO segments (id, workspace, name, rules, created_at, updated_at)
         VALUES ('seg_a', 1, 'A', '{}', 1, 1), ('seg_b', 1, 'B', '{}', 1, 1), ('seg_two', 2, 'C', '{}', 1, 1)`,
      );
    });
    afterAll(() => opened.close());

    test("a campaign is a draft at first, found in its workspace only", async () => {
      const campaign = await insert({ listId: "list_a" });
      expect(campaign).toEqual({
        id: campaign.id,
        name: "News",
        subject: "Hello",
        status: "DRAFT",
        listId: "list_a",
        scheduledAt: null,
        sentAt: null,
        createdAt: made,
        stat: null,
        delivered: 0,
      });
      const { text: _, ...options } = DEFAULT_OPTIONS;
      expect(await campaigns.find("ws_one", campaign.id)).toMatchObject({
        campaign,
        options,
        mailing: null,
        blocked: null,
        paused: null,
        held: false,
      });
      expect(await campaigns.letter("ws_one", campaign.id)).toEqual({
        name: "News",
        subject: "Hello",
        html: "<p>Hi</p>",
        options: DEFAULT_OPTIONS,
      });
      expect(await campaigns.find("ws_two", campaign.id)).toBeNull();
      expect(await campaigns.letter("ws_two", campaign.id)).toBeNull();
      expect(await insert({ listId: "list_two" })).toBeNull();
    });

    test("a change is decided over what is stored, with the lists that the workspace has", async () => {
      const { id } = await insert({ listId: "list_a" });
      const asked: unknown[] = [];
      const changed = await campaigns.change("ws_one", id, ["list_b", "list_two"], (current, known) => {
        asked.push(current, [...known]);
        return accept({ name: "New", body: "<b>", listId: "list_b" });
      });
      expect(asked.slice(-2)).toEqual([
        { status: "DRAFT", frozen: false, listId: "list_a", segmentId: null },
        ["list_b"],
      ]);
      expect(changed).toMatchObject({ ok: true, value: { name: "New", subject: "Hello", listId: "list_b" } });
      expect(await campaigns.letter("ws_one", id)).toMatchObject({ name: "New", html: "<b>" });
      const refused = refuse("VALIDATION_ERROR", "no");
      expect(await campaigns.change("ws_one", id, [], () => refused)).toEqual(refused);
      expect(await campaigns.change("ws_one", id, [], () => accept({}))).toMatchObject({ ok: true });
      expect(await campaigns.change("ws_two", id, [], () => accept({ name: "stolen" }))).toBeNull();
      expect(await campaigns.change("ws_one", id, [], () => accept({ listId: null }))).toMatchObject({
        value: { name: "New", listId: null },
      });
    });

    test("a schedule makes it SCHEDULED, and ends what it was waiting for; without it, it is a draft", async () => {
      const { id } = await insert();
      expect(await schedule(id, NOW)).toMatchObject({ value: { status: "SCHEDULED", scheduledAt: NOW } });
      await opened.run(`UPDATE campaigns SET blocked = 'quiet', paused = 'why' WHERE id = '${id}'`);
      expect(await campaigns.find("ws_one", id)).toMatchObject({ blocked: "quiet", paused: "why" });
      await schedule(id, NOW + 5);
      expect(await campaigns.find("ws_one", id)).toMatchObject({ blocked: null, paused: null });
      expect((await column("next_try_at", id)).map(Number)).toEqual([NOW + 5]);
      expect(await schedule(id, null)).toMatchObject({ value: { status: "DRAFT", scheduledAt: null } });
      expect(await column("next_try_at", id)).toEqual([null]);
    });

    test("options are kept, and the segments that they name", async () => {
      const { id } = await insert();
      await schedule(id, NOW);
      const named = { lists: ["list_a", "list_no"], segments: ["seg_a", "seg_b", "seg_two"] };
      const options = {
        ...DEFAULT_OPTIONS,
        text: "plain",
        segmentId: "seg_a",
        excludeSegmentIds: ["seg_b", "seg_a", "seg_two"],
      };
      const asked: unknown[] = [];
      const changed = await campaigns.changeOptions("ws_one", id, named, (current, { lists, segments }) => {
        asked.push(current.options, [...lists], [...segments].toSorted());
        return accept({ options, scheduledAt: null });
      });
      expect(asked.slice(-3)).toEqual([DEFAULT_OPTIONS, ["list_a"], ["seg_a", "seg_b"]]);
      expect(changed).toEqual(accept(options));
      expect((await campaigns.letter("ws_one", id))!.options).toEqual(options);
      expect(await campaigns.find("ws_one", id)).toMatchObject({
        campaign: { status: "DRAFT" },
        options: { segmentId: "seg_a" },
      });
      const uses = `SELECT s.id FROM campaign_segments AS u JOIN segments AS s ON s.seq = u.segment
        JOIN campaigns AS c ON c.seq = u.campaign WHERE c.id = '${id}' ORDER BY s.id`;
      expect(await opened.values(uses)).toEqual(["seg_a", "seg_b"]);
      const none = { lists: [], segments: [] };
      await campaigns.changeOptions("ws_one", id, none, () => accept({ options: DEFAULT_OPTIONS }));
      expect(await opened.values(uses)).toEqual([]);
      expect(await campaigns.changeOptions("ws_two", id, none, () => accept({ options }))).toBeNull();
      const refused = refuse("VALIDATION_ERROR", "no");
      expect(await campaigns.changeOptions("ws_one", id, none, () => refused)).toEqual(refused);
    });

    test("a copy has the same list, content and options", async () => {
      const { id } = await insert({ listId: "list_a" });
      const options = { ...DEFAULT_OPTIONS, segmentId: "seg_a", text: "plain", topic: "t" };
      const named = { lists: [], segments: ["seg_a"] };
      await campaigns.changeOptions("ws_one", id, named, () => accept({ options }));
      await schedule(id, NOW);
      const copy = { id: "cam_copy", createdAt: NOW, nameOf: (name: string) => `Copy of ${name}` };
      expect(await campaigns.duplicate("ws_two", id, copy)).toBeNull();
      expect(await campaigns.duplicate("ws_one", id, copy)).toMatchObject({
        id: "cam_copy",
        name: "Copy of News",
        status: "DRAFT",
        listId: "list_a",
        scheduledAt: null,
        createdAt: NOW,
      });
      expect(await campaigns.letter("ws_one", "cam_copy")).toMatchObject({ html: "<p>Hi</p>", options });
    });

    test("pages come newest first, by status, and by a part of the name or subject in any case", async () => {
      const names = ["Ärzte", "100% sure", "a_b", "axb", "ärztin"];
      for (const name of names) await insert({ name, subject: `To ${name}` }, "ws_two");
      const { items } = await campaigns.page(
        "ws_two",
        { status: null, q: "axb" },
        { limit: 1, before: null },
      );
      await campaigns.change("ws_two", items[0]!.id, [], () => accept({ scheduledAt: NOW }));
      const namesOf = async (filter: object, limit = 10, before: number | null = null) => {
        const page = await campaigns.page("ws_two", { status: null, q: null, ...filter }, { limit, before });
        return [page.items.map(({ name }) => name), page.total] as const;
      };
      expect(await namesOf({})).toEqual([names.toReversed(), 5]);
      expect(await namesOf({ status: "SCHEDULED" })).toEqual([["axb"], 1]);
      expect(await namesOf({ status: "SENT" })).toEqual([[], 0]);
      expect(await namesOf({ q: "ÄRZT" })).toEqual([["ärztin", "Ärzte"], 2]);
      expect(await namesOf({ q: "a_b", status: "DRAFT" })).toEqual([["a_b"], 1]);
      expect(await namesOf({ q: "a_b", status: "SCHEDULED" })).toEqual([[], 0]);
      expect(await namesOf({ q: "\0" })).toEqual([[], 0]);
      const first = await campaigns.page("ws_two", { status: null, q: null }, { limit: 3, before: null });
      expect(await namesOf({}, 3, first.nextPosition)).toEqual([["100% sure", "Ärzte"], 5]);
    });

    test("a deleted campaign stops its send: nothing more is claimed, and what was reserved is given back", async () => {
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 5)");
      const { mailing } = await makeMailing({ engine, opened }, { prefix: "del", people: 3 });
      expect(await campaigns.find("ws_one", "cmp_del")).toMatchObject({ mailing, held: false });
      expect(await campaigns.delete("ws_two", "cmp_del")).toBe(false);
      expect(await campaigns.delete("ws_one", "cmp_del")).toBe(true);
      expect(await campaigns.delete("ws_one", "cmp_del")).toBe(false);
      expect(await opened.values(`SELECT phase FROM mailings WHERE seq = ${mailing}`)).toEqual(["stopped"]);
      const usage = await opened.values("SELECT n FROM sending_usage WHERE period = '2026-11'");
      expect(usage.map(Number)).toEqual([2]);
      expect((await opened.values(`SELECT seq FROM deliveries WHERE mailing = ${mailing}`)).length).toBe(3);
    });

    test("the hold of a copy ends by a release, and a schedule that has passed is due then", async () => {
      const { mailing } = await makeMailing({ engine, opened }, { prefix: "held", people: 1 });
      await opened.run(`UPDATE mailings SET held = 3 WHERE seq = ${mailing}`);
      expect(await campaigns.find("ws_one", "cmp_held")).toMatchObject({ held: true });
      expect(await campaigns.release("ws_two", "cmp_held", NOW)).toBe("not found");
      expect(await campaigns.release("ws_one", "cmp_held", NOW)).toBe("released");
      expect(await campaigns.release("ws_one", "cmp_held", NOW)).toBe("not held");
      expect((await opened.values(`SELECT held FROM mailings WHERE seq = ${mailing}`)).map(Number)).toEqual([
        2,
      ]);
      const { id } = await insert();
      await schedule(id, NOW - 9);
      await opened.run(`UPDATE campaigns SET held = (1 = 1), blocked = 'late' WHERE id = '${id}'`);
      expect(await campaigns.release("ws_one", id, NOW)).toBe("released");
      expect(await campaigns.find("ws_one", id)).toMatchObject({ held: false, blocked: null });
      expect((await column("next_try_at", id)).map(Number)).toEqual([NOW]);
    });

    test("changes at the same time follow each other, also beside the end of a list", async () => {
      const { id } = await insert();
      await opened.stores.lists.insert("ws_one", newList("list_brief", { name: "" }));
      const longer = () =>
        campaigns.change("ws_one", id, ["list_brief"], (_, known) =>
          accept({ name: `${made}`, ...(known.size > 0 ? { listId: "list_brief" } : {}) }),
        );
      const copies = Array.from({ length: 6 }, (_, n) =>
        campaigns.duplicate("ws_one", id, { id: `cam_x${n}`, createdAt: 1, nameOf: (name) => name }),
      );
      const work = [...Array.from({ length: 6 }, longer), opened.stores.lists.delete("ws_one", "list_brief")];
      const done = await Promise.all([...work, ...copies]);
      expect(done.every((one) => one !== null && one !== false)).toBe(true);
      expect((await campaigns.find("ws_one", id))!.campaign.listId).toBeNull();
      const { total } = await campaigns.page("ws_one", { status: null, q: null }, { limit: 1, before: null });
      expect([total]).toEqual(
        (await opened.values("SELECT count(*) FROM campaigns WHERE workspace = 1")).map(Number),
      );
    });
  });
}
