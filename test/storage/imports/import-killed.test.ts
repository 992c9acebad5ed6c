/** An import takes somebody off very many lists, and its server is killed in the middle of that. */
import { expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { imported } from "../../support/people/imports.ts";
import { consentLog, derivedTablesAgree, person, suppressions } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";

const MANY = 2_600;
const FILE = `email,status,consent
ada@example.com,,
grace@example.com,unsubscribed,declined
linus@example.com,,
`;

/** Grace is on very many lists. */
async function graceOnLists(api: TestApi): Promise<void> {
  await person(api, "grace@example.com");
  const { sqlite } = api.services.database;
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO lists (id, workspace, name, search, created_at) SELECT 'list_' || i, 1, i, i, 1 FROM n`,
  );
  sqlite.run(
    "INSERT INTO list_members (list, status, contact, added_at) SELECT l.seq, c.status, c.seq, 1 FROM lists AS l, contacts AS c",
  );
}

/** What became of the people, without times and ids. */
async function outcome(api: TestApi): Promise<unknown> {
  const rows = (sql: string): unknown[] => api.services.database.sqlite.query(sql).values();
  const [one] = (await api.call("GET", "/imports")).body.data;
  const { state, rows: read, created, updated, skipped, failed } = one;
  return {
    import: { state, read, created, updated, skipped, failed },
    people: rows("SELECT email, status FROM contacts ORDER BY email"),
    members: rows("SELECT count(*) FROM list_members"),
    departures: rows("SELECT contact, list, joined_at FROM list_departures ORDER BY list"),
    suppressions: await suppressions(api),
    log: await consentLog(api),
    areCountsRight: derivedTablesAgree(api),
  };
}

test("ends the same after the next start", async () => {
  const whole = await startApi();
  await graceOnLists(whole);
  await imported(whole, FILE);
  const wanted = await outcome(whole);
  await whole.stop();

  const before = await startApi();
  await graceOnLists(before);
  await before.stop({ keep: true });
  const { dataDir, workspaceId, key, starts } = before;
  const child = Bun.spawn(
    [
      process.execPath,
      `${import.meta.dir}/../../support/people/killed-import-child.ts`,
      JSON.stringify({ dataDir, workspaceId, key, starts }),
      FILE,
    ],
    { stdout: "inherit", stderr: "inherit", timeout: 60_000 },
  );
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");

  const after = await startApi({ home: { ...before, starts: starts + 1 } });
  try {
    await eventually(async () => (await after.call("GET", "/imports")).body.data[0].state !== "RUNNING");
    expect(await outcome(after)).toEqual(wanted);
    expect((wanted as { people: unknown }).people).toContainEqual(["grace@example.com", "UNSUBSCRIBED"]);
  } finally {
    await after.stop();
  }
});
