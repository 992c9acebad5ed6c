import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { bareCommand, startBare, type BareServer } from "./references/bare-server.ts";
import { load, type LoadFigures, type Requests } from "./processes/load.ts";
import { startPostrider, type Postrider } from "./processes/processes.ts";
import { CONTACTS, fillDatabase, type RoutesData } from "./data/routes-data.ts";
import type { Row } from "./figures/table.ts";

const OUR_PORT = 18_350;
const THEIR_PORT = 18_351;
const ROUNDS = 5;
const SECONDS = 2;
/** Before the rounds, so that no round is mostly compilation. */
const WARM_UP_SECONDS = 1;
const GOAL = 0.6;

type Comparison = { readonly what: string; readonly ours: Requests; readonly theirs: Requests };

/**
 * Our routes against plain Elysia with one statement a route, 64 connections. Both answer a write only when
 * it is durable, except that we answer hits on pixels and links before they are written. The two servers take
 * turns. The median of the rounds counts.
 */
export async function routesBench(only = ""): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bare-"));
  const ours = await startPostrider("smtp://127.0.0.1:1", OUR_PORT);
  const theirs = await startReference(folder);
  try {
    const rows: Row[] = [];
    for (const comparison of comparisons(ours, fillDatabase(ours.dataDir, true)))
      if (comparison.what.includes(only)) rows.push(...(await compared(comparison, ours, theirs)));
    return rows;
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
    rmSync(folder, { recursive: true });
  }
}

async function startReference(folder: string): Promise<BareServer> {
  const dataDir = join(folder, "data");
  await openSqlite(dataDir, systemClock, systemRandom).close();
  fillDatabase(dataDir, false);
  return startBare(await bareCommand("bare-elysia", folder), [dataDir], THEIR_PORT);
}

async function compared({ what, ours, theirs }: Comparison, us: Postrider, them: BareServer): Promise<Row[]> {
  const figures: { us: LoadFigures; them: LoadFigures }[] = [];
  await load(them, theirs, WARM_UP_SECONDS, 0);
  await load(us, ours, WARM_UP_SECONDS, 0);
  for (let round = 1; round <= ROUNDS; round++)
    figures.push({
      them: await load(them, theirs, SECONDS, round * 10_000_000),
      us: await load(us, ours, SECONDS, round * 10_000_000),
    });
  const row = (key: keyof LoadFigures) => ({
    ours: median(figures.map(({ us: figure }) => figure[key])),
    theirs: median(figures.map(({ them: figure }) => figure[key])),
  });
  const reference =
    ours.method === "POST" || !what.includes("{id}") ? "bare Elysia, one insert" : "bare Elysia, one select";
  return [
    { what: `${what}, requests/s`, reference, ...row("perSecond"), goal: { ratioAtLeast: GOAL } },
    { what: `${what}, µs of processor`, reference, ...row("cpuMicros"), goal: null },
  ];
}

function comparisons({ key }: Postrider, { contactIds, openPaths, clickPaths }: RoutesData): Comparison[] {
  const ourHeaders = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const theirHeaders = { "Content-Type": "application/json" };
  const post = (what: string, path: string, body: string): Comparison => ({
    what,
    ours: { method: "POST", path: `"/api/v1${path}"`, body, headers: ourHeaders },
    theirs: { method: "POST", path: `"${path}"`, body, headers: theirHeaders },
  });
  const person = (email: string) =>
    `'{"email":"' .. ${email} .. '","firstName":"Ada","lastName":"Lovelace"}'`;
  const known = `"known" .. (1 + (n * 7919) % ${CONTACTS}) .. "@example.com"`;
  const event = `'{"name":"order_placed","email":"' .. ${known} .. '","value":19.99,"currency":"EUR","properties":{"plan":"pro"}}'`;
  const line = "lines[1 + n % #lines]";
  const hit = (what: string, lines: readonly string[]): Comparison => ({
    what,
    ours: { method: "GET", path: line, lines },
    theirs: { method: "GET", path: `"/hit/" .. n` },
  });
  return [
    post("POST /contacts, new", "/contacts", person(`"new" .. n .. "@example.com"`)),
    post("POST /contacts, existing", "/contacts", person(known)),
    post("POST /events", "/events", event),
    hit("GET /o/… (pixel)", openPaths),
    hit("GET /c/… (click)", clickPaths),
    {
      what: "GET /contacts/{id}",
      ours: { method: "GET", path: `"/api/v1/contacts/" .. ${line}`, lines: contactIds, headers: ourHeaders },
      theirs: { method: "GET", path: `"/contacts/" .. ${line}`, lines: contactIds, headers: theirHeaders },
    },
  ];
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
}
