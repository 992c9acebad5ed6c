import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstAnswer } from "./references/bare-server.ts";
import {
  COMMON_AGAIN,
  COMMON_FIRST,
  RARE,
  WITHOUT_Q,
  type Asked,
  type PageRequests,
} from "./data/pages-requests.ts";
import { postriderCommand, type Running } from "./processes/processes.ts";
import { seed, type Seeded } from "./data/seed.ts";
import type { Row } from "./figures/table.ts";
import { waitAt } from "./figures/waits.ts";

const MANY = { contacts: 1_000_000, events: 5_000_000, port: 18_340 };
const FEW = { contacts: 1_000, events: 5_000, port: 18_341 };
const TIMES = 400;
const WARM_UP = 30;
/** How many pages of a hundred lie before the deep one, if there are as many. */
const DEEP_PAGES = 100;

type Server = Running & Asked & { get(path: string): Promise<Page> };
type Page = { data: { id: string }[]; pagination: { nextCursor: string | null } };

/**
 * How long pages of lists take with a million contacts and five million events, compared with a thousand
 * contacts. Requests go over HTTP, one after the other; the two servers take turns.
 * @param kept a directory that `seed` made before; without it, a new one is filled
 */
export async function pagesBench(kept?: { dataDir: string; seeded: Seeded }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-pages-"));
  const servers: Server[] = [];
  try {
    const many = kept?.dataDir ?? join(folder, "many");
    servers.push(await serve(many, kept?.seeded ?? (await seed(many, MANY)), MANY.port));
    servers.push(await serve(join(folder, "few"), await seed(join(folder, "few"), FEW), FEW.port));
    const [large, small] = servers as [Server, Server];
    const rows: Row[] = [];
    for (const requests of [...WITHOUT_Q, ...RARE, ...COMMON_AGAIN])
      rows.push(...(await compared(requests, large, small, { times: TIMES, warmUp: WARM_UP })));
    return [...rows, ...(await firstTimes(large, small))];
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Expensive counts, and how long a request for a plain page waits beside them. */
async function firstTimes(large: Server, small: Server): Promise<Row[]> {
  const state = { isOver: false };
  const waits: number[] = [];
  const beside = (async () => {
    while (!state.isOver) {
      waits.push(await timed(large, "/contacts"));
      await Bun.sleep(5);
    }
  })();
  const rows: Row[] = [];
  for (const requests of COMMON_FIRST)
    rows.push(...(await compared(requests, large, small, { times: requests.times, warmUp: 0 })));
  state.isOver = true;
  await beside;
  return [
    ...rows,
    {
      what: "GET /contacts beside first-time searches, p99.9 ms",
      ours: waitAt(waits, 0.999),
      reference: "limit",
      theirs: 50,
      goal: { atMost: 50 },
    },
  ];
}

async function compared(
  { what, path }: PageRequests,
  large: Server,
  small: Server,
  { times, warmUp }: { times: number; warmUp: number },
): Promise<Row[]> {
  const ms = { large: [] as number[], small: [] as number[] };
  for (let n = -warmUp; n < times; n++) {
    const forLarge = await timed(large, path(n + warmUp, large));
    const forSmall = await timed(small, path(n + warmUp, small));
    if (n < 0) continue;
    ms.large.push(forLarge);
    ms.small.push(forSmall);
  }
  const reference = `at ${FEW.contacts} contacts`;
  return [
    {
      what: `${what}, p50 ms`,
      ours: waitAt(ms.large, 0.5),
      reference,
      theirs: waitAt(ms.small, 0.5),
      goal: { ratioAtMost: 2 },
    },
    {
      what: `${what}, p99 ms`,
      ours: waitAt(ms.large, 0.99),
      reference,
      theirs: waitAt(ms.small, 0.99),
      goal: { atMost: 25 },
    },
  ];
}

async function timed(server: Server, path: string): Promise<number> {
  const startedMs = performance.now();
  await server.get(path);
  return performance.now() - startedMs;
}

/** As on a machine that has served for a while: the file is in memory, as a small one always is. */
async function readOnce(file: string): Promise<void> {
  for await (const _ of Bun.file(file).stream());
}

async function serve(dataDir: string, seeded: Seeded, port: number): Promise<Server> {
  await readOnce(join(dataDir, "postrider.db"));
  const flags = ["serve", "--data-dir", dataDir, "--port", String(port), "--smtp-url", "smtp://127.0.0.1:1"];
  const child = Bun.spawn([...postriderCommand(), ...flags], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(url);
  const get = async (path: string): Promise<Page> => {
    const headers = { authorization: `Bearer ${seeded.key}` };
    const response = await fetch(`${url}/api/v1${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Page;
  };
  let deepCursor = "";
  for (let page = 0; page < DEEP_PAGES; page++) {
    const { nextCursor } = (await get(`/contacts?limit=100&after=${deepCursor}`)).pagination;
    if (nextCursor === null) break;
    deepCursor = encodeURIComponent(nextCursor);
  }
  return {
    ...seeded,
    deepCursor,
    pid: child.pid,
    get,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
