import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Audience, AudienceStore } from "#campaigns/send/audience.ts";
import type { LeftOutReason } from "#campaigns/check/left-out.ts";
import { newList } from "../../../support/people/lists.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_800_000_000_000;
const ALL: Audience = { listId: "list_all", segmentId: null, excludeListIds: [], excludeSegmentIds: [] };
const NOBODY = { mailable: 0, ofDomains: [], skipped: { EXCLUDED: 0, SUPPRESSED: 0, BLOCKED_DOMAIN: 0 } };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`audiences of campaigns on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let audiences: AudienceStore;
    const tally = (change: Partial<Audience>, excludeEmails: string[] = [], domains: string[][] = []) =>
      audiences.tally("ws_one", { ...ALL, ...change }, { excludeEmails, domains }, NOW);
    const leftOut = async (reason: LeftOutReason | null, change: Partial<Audience> = {}) => {
      const page = { limit: 10, before: null };
      const found = await audiences.leftOut("ws_one", { ...ALL, ...change }, { reason, page }, NOW);
      return [found.items.map(({ id }) => id), found.total];
    };

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ audiences } = opened.stores);
      const people = [
        "a@x.example",
        "b@x.example",
        "c@y.example",
        "d@blocked.example",
        "e@y.example",
        "f@z.example",
      ];
      const rows = people.map((email, n) => {
        const status = n === 5 ? "UNSUBSCRIBED" : "SUBSCRIBED";
        return `('con_${n}', 1, '${email}', '', '', '${status}', '', 1)`;
      });
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${rows.join(", ")}`,
      );
      await opened.run(
        `INSERT INTO suppressions (workspace, address, reason, created_at)
         VALUES (1, 'b@x.example', 'COMPLAINT', 1), (1, 'd@blocked.example', 'COMPLAINT', 1)`,
      );
      await opened.run(
        "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'blocked.example', 1), (1, 'y.example', 1)",
      );
      const { lists } = opened.stores;
      for (const [id, members] of [
        ["list_all", [0, 1, 2, 3, 4]],
        ["list_two", [0, 4]],
      ] as const) {
        await lists.insert("ws_one", newList(id));
        await lists.addContacts(
          "ws_one",
          id,
          members.map((n) => `con_${n}`),
          () => null,
          1,
        );
      }
      // Who has left stays on their list, with another status.
      await opened.run(
        "INSERT INTO list_members (list, contact, status, added_at) VALUES (1, 6, 'UNSUBSCRIBED', 1)",
      );
      const rules = JSON.stringify({ field: "list", op: "equals", value: "list_two" });
      await opened.run(
        `INSERT INTO segments (id, workspace, name, rules, created_at, updated_at) VALUES ('seg_two', 1, '', '${rules}', 1, 1)`,
      );
    });
    afterAll(() => opened.close());

    test("everybody is counted once: as a recipient, or with the first reason that holds", async () => {
      expect(await tally({})).toEqual({
        mailable: 1,
        ofDomains: [],
        skipped: { EXCLUDED: 0, SUPPRESSED: 2, BLOCKED_DOMAIN: 2 },
      });
      expect(await tally({ segmentId: "seg_two" })).toMatchObject({
        mailable: 1,
        skipped: { EXCLUDED: 0, SUPPRESSED: 0, BLOCKED_DOMAIN: 1 },
      });
      expect(
        await tally({ listId: null, segmentId: "seg_two" }, ["a@x.example", "f@z.example"]),
      ).toMatchObject({
        mailable: 0,
        skipped: { EXCLUDED: 1, SUPPRESSED: 0, BLOCKED_DOMAIN: 1 },
      });
      expect(await tally({ excludeListIds: ["list_two", "list_gone"] })).toMatchObject({
        mailable: 0,
        skipped: { EXCLUDED: 2, SUPPRESSED: 2, BLOCKED_DOMAIN: 1 },
      });
      expect(await tally({ excludeSegmentIds: ["seg_two", "seg_gone"] }, ["b@x.example"])).toMatchObject({
        mailable: 0,
        skipped: { EXCLUDED: 3, SUPPRESSED: 1, BLOCKED_DOMAIN: 1 },
      });
    });

    test("recipients are counted by groups of domains", async () => {
      await opened.run("DELETE FROM blocked_domains WHERE domain = 'y.example'");
      const domains = [["y.example", "none.example"], [], ["x.example"]];
      expect(await tally({}, [], domains)).toMatchObject({ mailable: 3, ofDomains: [2, 0, 1] });
      await opened.run(
        "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'y.example', 1)",
      );
      expect(await tally({}, [], domains)).toMatchObject({ mailable: 1, ofDomains: [0, 0, 1] });
    });

    test("a list or segment that is gone, or another workspace's, has nobody", async () => {
      expect(await tally({ listId: "list_gone" })).toEqual(NOBODY);
      expect(await tally({ segmentId: "seg_gone" })).toEqual(NOBODY);
      const asked = { excludeEmails: [], domains: [] };
      expect(await audiences.tally("ws_two", ALL, asked, NOW)).toEqual(NOBODY);
    });

    test("who is left out is shown by the reason that counts, newest first", async () => {
      expect(await leftOut("SUPPRESSED")).toEqual([["con_3", "con_1"], 2]);
      expect(await leftOut("BLOCKED_DOMAIN")).toEqual([["con_4", "con_2"], 2]);
      expect(await leftOut("NOT_SUBSCRIBED")).toEqual([["con_5"], 1]);
      const excluding = { excludeListIds: ["list_two"], excludeSegmentIds: ["seg_two"] };
      expect(await leftOut("NOT_SUBSCRIBED", excluding)).toEqual([["con_5"], 1]);
      expect(await leftOut("EXCLUDED")).toEqual([[], 0]);
      expect(await leftOut("EXCLUDED", { excludeSegmentIds: ["seg_two"] })).toEqual([["con_4", "con_0"], 2]);
      expect(await leftOut("BLOCKED_DOMAIN", { excludeListIds: ["list_two"] })).toEqual([["con_2"], 1]);
      expect(await leftOut(null, { excludeListIds: ["list_two"] })).toEqual([
        ["con_4", "con_3", "con_2", "con_1", "con_0"],
        5,
      ]);
      const page = (before: number | null) =>
        audiences.leftOut("ws_one", ALL, { reason: null, page: { limit: 3, before } }, NOW);
      const first = await page(null);
      expect(first.items.map(({ id }) => id)).toEqual(["con_4", "con_3", "con_2"]);
      const second = await page(first.nextPosition);
      expect([second.items.map(({ id }) => id), second.total]).toEqual([["con_1"], 4]);
    });

    test("what was used, and how quickly campaigns went out", async () => {
      expect(await audiences.used("ws_one", "2026-11")).toBe(0);
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 7)");
      expect([await audiences.used("ws_one", "2026-11"), await audiences.used("ws_two", "2026-11")]).toEqual([
        7, 0,
      ]);
      expect(await audiences.pace("ws_one")).toBeNull();
      for (const [prefix, accepted, tookMs] of [
        ["slow", 200, 4_000],
        ["quick", 100, 1_000],
        ["small", 99, 1],
      ] as const) {
        const { mailing } = await makeMailing({ engine, opened }, { prefix, people: 0 });
        await opened.run(
          `UPDATE mailings SET started_at = 5, finished_at = ${5 + tookMs} WHERE seq = ${mailing}`,
        );
        await opened.run(`UPDATE campaigns SET status = 'SENT' WHERE mailing = ${mailing}`);
        await opened.run(
          engine.name === "SQLite"
            ? `UPDATE mailings SET accepted = ${accepted} WHERE seq = ${mailing}`
            : `INSERT INTO tallies (mailing, slot, accepted) VALUES (${mailing}, 3, ${accepted})`,
        );
      }
      expect(await audiences.pace("ws_one")).toBe(100);
      expect(await audiences.pace("ws_two")).toBeNull();
    });
  });
}
