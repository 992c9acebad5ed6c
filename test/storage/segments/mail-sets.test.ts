import { afterAll, beforeAll, expect, test } from "bun:test";
import { mailSet } from "#storage/sqlite/segments/sets/mail-sets.ts";
import { Population } from "#storage/sqlite/segments/sets/population.ts";
import { freeze, newCampaign } from "../../support/sending/campaigns.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { spyOnStatements, type StatementSpy } from "../../support/storage/statement-spy.ts";

let api: TestApi;
let spy: StatementSpy;
beforeAll(async () => {
  spy = spyOnStatements();
  api = await startApi();
});
afterAll(async () => {
  spy.stop();
  await api.stop();
});

/** Rows of a mailing for these contacts, opened by every other one of them, ten other rows between each two. */
async function spreadMailing(contacts: number): Promise<{ id: string; opened: number[] }> {
  const { sqlite } = api.services.database;
  const { id } = await newCampaign(api);
  const other = await freeze(api, (await newCampaign(api)).id);
  const mailing = await freeze(api, id, { planned: contacts });
  const opened: number[] = [];
  const insert = sqlite.prepare(
    "INSERT INTO deliveries (mailing, contact, address, state, opened_at) VALUES (?, ?, ?, ?, ?)",
  );
  for (let n = 0; n < contacts; n++) {
    const { body } = await api.call("POST", "/contacts", { email: `reader-${n}@example.com` });
    const { seq } = sqlite.prepare("SELECT seq FROM contacts WHERE id = ?").get(body.data.id) as {
      seq: number;
    };
    const isOpened = n % 2 === 0;
    if (isOpened) opened.push(seq);
    insert.run(mailing, seq, `reader-${n}@example.com`, isOpened ? "sent" : "queued", isOpened ? 1 : null);
    for (let between = 0; between < 10; between++)
      insert.run(other, null, `other-${n}-${between}@example.com`, "sent", 1);
  }
  insert.finalize();
  return { id, opened };
}

test("the rows of a mailing among those of others are read stretch by stretch, each row once", async () => {
  const { id, opened } = await spreadMailing(6);
  const { sqlite } = api.services.database;
  const { seq: workspace } = sqlite
    .prepare("SELECT seq FROM workspaces WHERE id = ?")
    .get(api.workspaceId) as { seq: number };
  spy.take();
  const set = mailSet(new Population(sqlite, workspace, 10), {
    on: "opened",
    mailId: id,
    withinDays: null,
    is: true,
  });
  const asked = spy.take().filter((sql) => sql.includes("d.opened_at"));
  expect(set.ascending(0, 100)).toEqual(opened);
  expect(asked).toHaveLength(1);
  const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all() as { detail: string }[];
  // Without the last two, each stretch would read the whole mailing.
  expect(plan.map(({ detail }) => detail).join()).toContain("(mailing=? AND state=? AND seq>? AND seq<?)");
});
