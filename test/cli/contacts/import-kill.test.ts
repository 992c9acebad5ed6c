/** An import goes on after the last row that was kept, however often its server is killed. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { dice, killSeed } from "../../support/common/dice.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { postrider, startPostrider, temporaryDirectory } from "../../support/server/postrider.ts";

const isElsewhere = needsSqlite("it opens the file that the server left");

const KILLS = 20;
const ROWS = 40_000;
const PEOPLE = 34_000;
const homes = [temporaryDirectory(), temporaryDirectory()] as const;
const stopped = temporaryDirectory();
afterAll(() => [...homes, stopped].forEach((home) => home.remove()));

/** Rows of several lines, bad ones, addresses that come again, opt-outs and times of consent. */
const FILE = [
  "email,firstName,tags,status,consentAt,attributes.n",
  ...Array.from({ length: ROWS }, (_, i) => {
    if (i % 97 === 0) return `not an address,${i},,SUBSCRIBED,,`;
    const status = i % 31 === 0 ? "UNSUBSCRIBED" : "SUBSCRIBED";
    return `p${i % PEOPLE}@example.com,"Nr\n${i}",t${i % 7},${status},2026-01-01T00:00:00Z,${i}`;
  }),
].join("\n");

type Home = { readonly path: string; readonly workspaceId: string; readonly key: string };

async function ready(path: string): Promise<Home> {
  await (await startPostrider(path)).end("SIGTERM");
  const { out } = await postrider(path, ["workspace", "create", "--name", "Import", "--json"]);
  const { id, key } = JSON.parse(out);
  return { path, workspaceId: id, key };
}

async function upload(url: string, key: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([FILE]), "people.csv");
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/v1/imports`, { method: "POST", headers, body: form });
  expect(response.status).toBe(202);
  return ((await response.json()) as any).data.id;
}

async function importOf(url: string, key: string, id: string): Promise<any> {
  const answer = await fetch(`${url}/api/v1/imports/${id}`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as any).data;
}

async function untilDone(home: Home, id: string): Promise<any> {
  const server = await startPostrider(home.path);
  for (;;) {
    const now = await importOf(server.url, home.key, id);
    if (now.state !== "RUNNING") {
      await server.end("SIGTERM");
      return now;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How far an import is, as its data directory has it. */
function recordOf(path: string, id: string): { rows: number } {
  const sqlite = new Database(`${path}/postrider.db`, { readonly: true });
  const row = sqlite.query<{ rows: number }, [string]>("SELECT rows FROM imports WHERE id = ?").get(id);
  sqlite.close();
  return row!;
}

/** Until more rows are kept than that, or all are. */
async function untilFurther(path: string, id: string, rows: number): Promise<void> {
  while (recordOf(path, id).rows < Math.min(rows + 1, ROWS))
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Everything an import may write, without what differs between two runs: ids and times. */
async function written({ path, workspaceId }: Home): Promise<unknown> {
  const services = openServices(path, { clock: systemClock, random: systemRandom, log: SILENT_LOG });
  const all = (sql: string) => services.database.sqlite.query(sql).values();
  const found = {
    contacts: all(
      `SELECT c.email, c.first_name, c.tags, c.status, json(a.attributes) FROM contacts AS c
       LEFT JOIN contact_attributes AS a ON a.contact = c.seq ORDER BY c.seq`,
    ),
    consents: all("SELECT address, action, source, at FROM consent_log ORDER BY address, at"),
    suppressions: all("SELECT address, reason FROM suppressions ORDER BY address"),
    messages: all("SELECT line, message FROM import_messages ORDER BY seq"),
    workspace: (await services.workspaces.list()).some(({ id }) => id === workspaceId),
  };
  await services.close();
  return found;
}

test.skipIf(isElsewhere)(
  "an import whose server is told to stop ends with its batch, and goes on at the next start",
  async () => {
    const home = await ready(stopped.path);
    const server = await startPostrider(home.path);
    const id = await upload(server.url, home.key);
    let rows = 0;
    while (rows === 0) ({ rows } = await importOf(server.url, home.key, id));
    expect(await server.end("SIGTERM")).toBe(0);
    const { rows: kept } = recordOf(home.path, id);
    expect(kept).toBeGreaterThanOrEqual(rows);
    expect(kept).toBeLessThan(ROWS);
    const done = await untilDone(home, id);
    const people = new Set(FILE.match(/^p\d+@/gm));
    expect(done).toMatchObject({ state: "DONE", rows: ROWS, created: people.size });
    expect(done.created + done.updated + done.skipped + done.failed).toBe(ROWS);
    expect(readdirSync(`${home.path}/imports`)).toEqual([]);
  },
);

test.skipIf(isElsewhere)(
  `an import killed ${KILLS} times at random ends with the same contacts as one that was not`,
  async () => {
    const seed = killSeed();
    const of = dice(seed);
    const [whole, killed] = await Promise.all(homes.map(({ path }) => ready(path)));
    const first = await startPostrider(whole!.path);
    const wholeId = await upload(first.url, whole!.key);
    await first.end("SIGTERM");
    const { id: _, createdAt: __, finishedAt: ___, ...expected } = await untilDone(whole!, wholeId);

    let server = await startPostrider(killed!.path);
    const id = await upload(server.url, killed!.key);
    const seen = [0];
    for (let kill = 0; kill < KILLS; kill++) {
      // Every other time it has kept a batch first: so it is cut in the middle on a quick machine and on a slow one.
      if (kill % 2 === 0) await untilFurther(killed!.path, id, seen.at(-1)!);
      await new Promise((resolve) => setTimeout(resolve, of.roll(40)));
      await server.end("SIGKILL");
      seen.push(recordOf(killed!.path, id).rows);
      server = await startPostrider(killed!.path);
    }
    await server.end("SIGKILL");
    const { id: _1, createdAt: _2, finishedAt: _3, ...found } = await untilDone(killed!, id);

    expect({ seed, ...found }).toEqual({ seed, ...expected });
    expect(found).toMatchObject({ state: "DONE", rows: ROWS });
    expect([seed, await written(killed!)]).toEqual([seed, await written(whole!)]);
    // It was killed in the middle, more than once, and each time what was kept stayed.
    expect(new Set(seen.filter((rows) => rows > 0 && rows < ROWS)).size).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    for (const { path } of homes) expect(readdirSync(`${path}/imports`)).toEqual([]);
  },
);
