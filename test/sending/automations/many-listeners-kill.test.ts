import { expect, test } from "bun:test";
import { STARTS_AT_ONCE } from "#storage/common/automations/start-limits.ts";
import { chain } from "../../support/automations/automations.ts";
import { dice, killSeed } from "../../support/common/dice.ts";
import { dataOf } from "../../support/server/data-of.ts";
import { startPostrider, temporaryDirectory, type RunningServer } from "../../support/server/postrider.ts";

/** More than may start with the event itself. */
const AUTOMATIONS = STARTS_AT_ONCE + 300;
const EVENTS = 2;
const KILLS = 5;
const seed = killSeed();
const chance = dice(seed);

test(`very many automations wait for one event, and the server is killed while their starts are made: each starts once for each event, KILL_SEED=${seed}`, async () => {
  const { path: dataDir, remove } = temporaryDirectory();
  let server: RunningServer = await startPostrider(dataDir);
  const key = /API key\s+(pr_\S{43})/.exec(server.out())![1]!;
  const call = async (method: string, path: string, body: object): Promise<{ status: number; data: any }> => {
    const init = { method, headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/v1${path}`, init);
    return { status: answer.status, data: ((await answer.json()) as any).data };
  };
  const trigger = { trigger: "custom_event", eventName: "sale", reenroll: "each_time" };
  const flowJson = chain(trigger, ["out", "end"]);
  const { id } = (await call("POST", "/automations", {})).data;
  await call("PATCH", `/automations/${id}`, { flowJson, status: "LIVE" });
  const { count, run, rows, close } = await dataOf(dataDir);
  await run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${AUTOMATIONS - 1})
     INSERT INTO automations (id, workspace, name, status, created_at, updated_at)
     SELECT id || i, workspace, name, status, 1, 1 FROM n CROSS JOIN automations WHERE id = '${id}'`,
  );
  const others = "FROM automations AS a CROSS JOIN";
  await run(
    `INSERT INTO automation_flows (automation, flow) SELECT a.seq, f.flow ${others} automation_flows AS f WHERE a.id <> '${id}'`,
  );
  await run(
    `INSERT INTO automation_listeners (workspace, kind, detail, automation)
     SELECT l.workspace, l.kind, l.detail, a.seq ${others} automation_listeners AS l WHERE a.id <> '${id}'`,
  );

  for (let i = 0; i < EVENTS; i++) {
    const answer = await call("POST", "/events", { name: "sale", email: "ada@example.com" });
    expect(answer.status).toBe(201);
  }
  const made = (): number => count("automation_starts") + count("enrollments");
  let between = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const upTo = made() + chance.fraction() * ((EVENTS * AUTOMATIONS - made()) / (KILLS - kill));
    while (made() < upTo && count("automation_triggers") > 0) await Bun.sleep(1);
    await server.end("SIGKILL");
    if (count("automation_triggers") > 0) between++;
    server = await startPostrider(dataDir);
  }
  const isOver = (): boolean =>
    count("automation_triggers") + count("automation_starts") === 0 &&
    count("enrollments WHERE status = 'ACTIVE'") === 0;
  while (!isOver()) await Bun.sleep(50);
  await server.end("SIGKILL");
  console.log(`starts under kills: ${JSON.stringify({ KILLS, between, runs: count("enrollments") })}`);
  expect(between).toBeGreaterThan(0);
  expect(count("enrollments")).toBe(EVENTS * AUTOMATIONS);
  expect(count("(SELECT DISTINCT automation, event FROM enrollments) AS each_once")).toBe(
    EVENTS * AUTOMATIONS,
  );
  const unordered = `SELECT 1 AS n FROM enrollments AS a JOIN enrollments AS b
    ON b.automation = a.automation AND b.seq > a.seq AND b.event <= a.event LIMIT 1`;
  expect(rows(unordered)).toEqual([]);
  await close();
  remove();
}, 600_000);
