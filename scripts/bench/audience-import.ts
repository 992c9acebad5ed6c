/**
 * How fast people are imported and exported: many in one request, attributes in a file, everybody as a file. The
 * sides of a comparison take turns on the same machine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addTo, AUDIENCE_CONTACTS, serve } from "./audience.ts";
import { ATTRIBUTES_SQL } from "./data/audience-sql.ts";
import { importOf } from "./import.ts";
import { personOf } from "./data/people.ts";
import { mostMemoryMb, startPostrider, type Postrider } from "./processes/processes.ts";
import { seed } from "./data/seed.ts";
import type { Row } from "./figures/table.ts";

const PORT = 18_460;
const FEW = 10;
const IN_ONE_CALL = 1_000;
const BULK_ROUNDS = 5;
const IMPORT_ROUNDS = 2;
const AT_ONCE = 16;

export const importsBench = async (): Promise<Row[]> => [
  ...(await bulkRows()),
  await attributesRow(AUDIENCE_CONTACTS),
  ...(await exportRows(AUDIENCE_CONTACTS)),
];

/** The same number of new people, sent in each way in turn. */
async function bulkRows(): Promise<Row[]> {
  const server = await startPostrider("smtp://127.0.0.1:1", PORT);
  try {
    const perSecond = await inTurn(BULK_ROUNDS, IN_ONE_CALL, {
      bulk: (from) => secondsOf(() => server.call("POST", "/contacts/bulk", { contacts: peopleFrom(from) })),
      oneByOne: (from) => secondsOf(() => postAll(server, peopleFrom(from), 1)),
      atOnce: (from) => secondsOf(() => postAll(server, peopleFrom(from), AT_ONCE)),
    });
    await checkCount(server, 3 * BULK_ROUNDS * IN_ONE_CALL);
    const row = (reference: string, theirs: number): Row => ({
      what: `bulk of ${IN_ONE_CALL} contacts, contacts/s`,
      ours: perSecond.bulk,
      reference,
      theirs,
      goal: { ratioAtLeast: 1 },
    });
    return [
      row("single posts, one after the other", perSecond.oneByOne),
      row(`single posts, ${AT_ONCE} at a time`, perSecond.atOnce),
    ];
  } finally {
    await server.stop();
  }
}

const peopleFrom = (from: number) => Array.from({ length: IN_ONE_CALL }, (_, i) => personOf(from + i));

async function postAll(
  server: Postrider,
  people: readonly ReturnType<typeof personOf>[],
  atOnce: number,
): Promise<void> {
  const left = people.values();
  const client = async (): Promise<void> => {
    for (const person of left) await server.call("POST", "/contacts", person);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

async function checkCount(server: Postrider, count: number): Promise<void> {
  const answer = (await server.call("GET", "/contacts?limit=1")) as unknown as {
    pagination: { total: number };
  };
  const { total } = answer.pagination;
  if (total !== count) throw new Error(`${total} of ${count} contacts were written`);
}

/** By the command line, beside an idle server. */
async function attributesRow(count: number): Promise<Row> {
  const perSecond = await inTurn(IMPORT_ROUNDS, count, {
    attributes: () => secondsOfImport(count, 10),
    plain: () => secondsOfImport(count, 0),
  });
  return {
    what: `import of ${count} contacts with 10 attributes (command line), rows/s`,
    ours: perSecond.attributes,
    reference: "the same without attributes",
    theirs: perSecond.plain,
    goal: { ratioAtLeast: 0.6 },
  };
}

/** Without the start of the server. */
async function secondsOfImport(count: number, attributes: number): Promise<number> {
  return count / (await importOf(count, attributes)).perSecond;
}

/**
 * Runs each way in every round, the next round in the opposite order, so that none has the warmer machine.
 * @param ways get the number of the first person that nobody else uses, and return the seconds it took
 * @returns people per second
 */
async function inTurn<Way extends string>(
  rounds: number,
  people: number,
  ways: Readonly<Record<Way, (from: number) => Promise<number>>>,
): Promise<Record<Way, number>> {
  const order = Object.keys(ways) as Way[];
  const seconds = Object.fromEntries(order.map((way) => [way, 0])) as Record<Way, number>;
  let from = 0;
  for (let round = 0; round < rounds; round++) {
    for (const way of order) {
      seconds[way] += await ways[way](from);
      from += people;
    }
    order.reverse();
  }
  for (const way of order) seconds[way] = (rounds * people) / seconds[way];
  return seconds;
}

/** Everybody with ten attributes as CSV; the server has done nothing before. */
async function exportRows(count: number): Promise<Row[]> {
  const few = Math.ceil(count / FEW);
  const small = await exportOf(few);
  const whole = await exportOf(count);
  return [
    {
      what: `export of ${count} contacts with attributes, rows/s`,
      ours: whole.perSecond,
      reference: `of ${few} rows`,
      theirs: small.perSecond,
      goal: null,
    },
    {
      what: "most memory of the server meanwhile, MB",
      ours: whole.memoryMb,
      reference: `of ${few} rows`,
      theirs: small.memoryMb,
      goal: { ratioAtMost: 1.2 },
    },
  ];
}

async function exportOf(count: number): Promise<{ perSecond: number; memoryMb: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-export-"));
  try {
    const seeded = await seed(dataDir, { contacts: count, events: 0 });
    addTo(dataDir, ATTRIBUTES_SQL);
    const server = await serve(dataDir, seeded);
    try {
      const headers = { authorization: `Bearer ${seeded.key}` };
      let rows = 0;
      const seconds = await secondsOf(async () => {
        rows = (await linesIn(await fetch(`${server.url}/api/v1/exports/contacts`, { headers }))) - 1;
      });
      if (rows !== count) throw new Error(`${rows} of ${count} rows were exported`);
      return { perSecond: count / seconds, memoryMb: mostMemoryMb(server.pid) };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

async function linesIn({ ok, body }: Response): Promise<number> {
  if (!ok || body === null) throw new Error("nothing is exported");
  let lines = 0;
  for await (const piece of body) for (const byte of piece) if (byte === 10) lines++;
  return lines;
}
