import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LAST_OPENS } from "#storage/postgres/contacts/last-opens.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

/** More than one slice of messages. */
const MANY = 2_500;
/** As the engine's own connections have it (storage/postgres/engine/open.ts). */
const AS_PLANNED = ["enable_seqscan = off", "enable_bitmapscan = off"];

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the last opens of contacts on ${engine.name}`, () => {
    let opened: OpenedEngine;
    const open = (message: number, at: number, by = "opened_at") =>
      opened.run(`UPDATE deliveries SET ${by} = ${at} WHERE seq = ${message}`);
    const opensOf = async (ids: readonly string[], workspaceId = "ws_one") =>
      Object.fromEntries(await opened.stores.contacts.lastOpens(workspaceId, ids));

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
    });
    afterAll(() => opened.close());

    test("the newest of a campaign's mail, whenever that was sent; nothing for who opened none", async () => {
      const first = await makeMailing({ engine, opened }, { people: 3, prefix: "a" });
      const [mailing] = await opened.values(
        "INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (1, 'campaign', 'cmp_later', 'finished', 2) RETURNING seq",
      );
      await opened.run(
        `INSERT INTO deliveries (mailing, contact, address, state, opened_at)
         SELECT ${Number(mailing)}, contact, address, 'sent', 50 FROM deliveries WHERE seq IN (${first.messages.join(", ")}) AND address <> 'a2@example.com'`,
      );
      await open(first.messages[0]!, 70);
      await open(first.messages[1]!, 40);
      await open(first.messages[2]!, 90, "machine_opened_at");
      await open(first.messages[2]!, 91, "clicked_at");
      expect(await opensOf(["con_a0", "con_a1", "con_a2", "con_nobody"])).toEqual({ con_a0: 70, con_a1: 50 });
      expect(await opensOf([])).toEqual({});
    });

    test("mail of automations does not count, and nobody of another workspace is looked at", async () => {
      const automation = await makeMailing(
        { engine, opened },
        { people: 1, prefix: "b", kind: "automation" },
      );
      await open(automation.messages[0]!, 70);
      const other = await makeMailing({ engine, opened }, { people: 1, prefix: "c", workspace: 2 });
      await open(other.messages[0]!, 80);
      expect(await opensOf(["con_b0", "con_c0"])).toEqual({});
      expect(await opensOf(["con_b0", "con_c0"], "ws_two")).toEqual({ con_c0: 80 });
    });

    test("of somebody with thousands of messages, all are looked at", async () => {
      const { mailing } = await makeMailing({ engine, opened }, { people: 2, prefix: "d" });
      await opened.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
         INSERT INTO deliveries (mailing, contact, address, visit, state, opened_at)
         SELECT ${mailing}, c.seq, c.email, n.i, 'sent', CASE n.i WHEN 10 THEN 400 WHEN ${MANY} THEN 500 END
         FROM n, contacts AS c WHERE c.id = 'con_d0'`,
      );
      expect(await opensOf(["con_d1", "con_d0"])).toEqual({ con_d0: 500 });
    });

    test.if(engine.name === "PostgreSQL")(
      "the plan reads these contacts and their own messages",
      async () => {
        for (const setting of AS_PLANNED) await opened.run(`SET ${setting}`);
        const statement = LAST_OPENS.replace("$1", "1").replace("$2", "'{con_a0,con_d0}'");
        const plan = (await opened.values(`EXPLAIN ${statement}`)).join("\n");
        expect(plan.match(/Index.* Scan using \w+/g)).toEqual([
          expect.stringContaining("contacts_id_key"),
          expect.stringContaining("deliveries_by_contact"),
          expect.stringContaining("mailings_pkey"),
        ]);
        expect(plan).toContain("Index Cond: (contact = c.seq)");
        expect(plan).not.toMatch(/Seq Scan|Hash|Merge/);
      },
    );
  });
}
