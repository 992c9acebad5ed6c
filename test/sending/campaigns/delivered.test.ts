/** What was delivered (docs/decisions.md "Figures") is one number wherever it stands: of a bounce that comes later too. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { BOUNCE_DOMAIN, dsn, overSmtp, sendTo } from "../../support/inbound/reports.ts";
import { reportOf, startSending } from "../../support/sending/sending.ts";
import { isPostgres } from "../../support/server/services.ts";

test("the overview, the list and the report say the same, after a refusal and a later bounce too", async () => {
  const api = await startSending({
    RCPT: ({ rcptTo }) => (rcptTo.at(-1)?.startsWith("gone") ? "550 5.1.1 No such user" : undefined),
  });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  const { campaignId, sent } = await sendTo(api, [
    "ada@example.com",
    "grace@example.com",
    "linus@example.com",
    "gone@example.com",
  ]);
  const figures = async () => {
    const [stats, list, report] = [
      (await api.call("GET", "/stats?include=delivered")).body.data,
      (await api.call("GET", "/campaigns?include=delivered")).body.data[0],
      await reportOf(api, campaignId),
    ];
    const steps = stats.series.map(({ delivered }: { delivered: number }) => delivered);
    expect(steps.reduce((sum: number, n: number) => sum + n, 0)).toBe(stats.totals.delivered);
    return [stats.totals.delivered, list.stat.delivered, report.sent];
  };
  expect(await figures()).toEqual([3, 3, 3]);
  await overSmtp(api, dsn(), sent.get("grace@example.com")!.sender);
  expect(await figures()).toEqual([2, 2, 2]);

  // Who does not ask for it gets the contract's members and no other.
  const { totals } = (await api.call("GET", "/stats")).body.data;
  expect(totals).toMatchObject({ sent: 3, bounced: 2 });
  expect(Object.keys(totals)).not.toContain("delivered");
  expect((await api.call("GET", "/campaigns")).body.data[0].stat).toEqual({
    sent: 3,
    opened: 0,
    clicked: 0,
    bounced: 2,
    unsubscribed: 0,
  });
  expect((await api.call("GET", "/stats?include=all")).status).toBe(422);
  expect((await api.call("GET", "/campaigns?include=all")).status).toBe(422);

  expect(await api.place.ledgerFaults(api.services)).toEqual([]);
  // No PostgreSQL has data of a version that did not count it.
  if (!isPostgres) expectSameAfterUpgrade(api.services.database.sqlite);
  await api.stop();
});

/** An upgrade counts the same from what is there. */
function expectSameAfterUpgrade(sqlite: Database): void {
  // The migration knows no later columns.
  sqlite.run("ALTER TABLE activity_counts DROP COLUMN complained_elsewhere");
  const counted = sqlite.query("SELECT * FROM activity_counts").values();
  sqlite.run("UPDATE activity_counts SET returned = 0");
  const { sql } = MIGRATIONS.find(({ name }) => name.endsWith("_returned"))!;
  sqlite.run(sql.slice(sql.indexOf("INSERT")));
  expect(sqlite.query("SELECT * FROM activity_counts").values()).toEqual(counted);
}
