import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { personOf } from "./data/people.ts";
import { mostMemoryMb, postriderCommand, startPostrider } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";

const PORT = 18_400;
const FEW = 10;
const ROWS_A_FLUSH = 10_000;
const LOOK_EVERY_MS = 100;
/** In the name of a column and in each of its cells. */
const ATTRIBUTE = "answer";

type Figures = { readonly perSecond: number; readonly cpuMicros: number };
type Imported = Figures & { readonly memoryMb: number };

/** An import of `count` rows with a list, beside an idle server, against bare inserts of the same rows. */
export async function importBench(count = 1_000_000): Promise<Row[]> {
  const small = await importOf(count / FEW);
  const bare = await bareInserts(count);
  const ours = await importOf(count);
  return [
    {
      what: `import of ${count} contacts with a list, rows/s`,
      ours: ours.perSecond,
      reference: "bare bun:sqlite inserts",
      theirs: bare.perSecond,
      goal: { ratioAtLeast: 0.5 },
    },
    {
      what: "the same, processor time a row, µs",
      ours: ours.cpuMicros,
      reference: "bare bun:sqlite inserts",
      theirs: bare.cpuMicros,
      goal: null,
    },
    {
      what: "most memory of that import, MB",
      ours: ours.memoryMb,
      reference: `of ${count / FEW} rows`,
      theirs: small.memoryMb,
      goal: { ratioAtMost: 1.2 },
    },
  ];
}

/** @param attributes how many attributes each row has beside the names */
export async function importOf(count: number, attributes = 0): Promise<Imported> {
  const server = await startPostrider("smtp://127.0.0.1:1", PORT);
  try {
    const file = join(server.dataDir, "people.csv");
    await writePeople(file, count, attributes);
    const listId = (await server.call("POST", "/lists", { name: "Everybody" })).data.id;
    const place = ["--data-dir", server.dataDir, "--list", listId, "--status", "SUBSCRIBED"];
    const startedMs = performance.now();
    const child = Bun.spawn([...postriderCommand(), "import", "contacts", file, ...place, "--json"], {
      stdout: "pipe",
      stderr: "inherit",
    });
    let memoryMb = 0;
    const looks = setInterval(() => {
      if (child.exitCode === null) memoryMb = mostMemoryMb(child.pid) || memoryMb;
    }, LOOK_EVERY_MS);
    const { created } = (await new Response(child.stdout).json()) as { created: number };
    clearInterval(looks);
    await child.exited;
    if (created !== count) throw new Error(`${created} of ${count} rows were imported`);
    const seconds = (performance.now() - startedMs) / 1000;
    const { cpuTime } = child.resourceUsage()!;
    return {
      perSecond: count / seconds,
      cpuMicros: Number(cpuTime.total) / count,
      memoryMb,
    };
  } finally {
    await server.stop();
  }
}

async function writePeople(file: string, count: number, attributes: number): Promise<void> {
  const writer = Bun.file(file).writer();
  const columns = Array.from({ length: attributes }, (_, i) => `,attributes.${ATTRIBUTE}_${i}`).join("");
  void writer.write(`email,firstName,lastName${columns}\n`);
  for (let n = 0; n < count; n++) {
    const { email, firstName, lastName } = personOf(n);
    let cells = "";
    for (let i = 0; i < attributes; i++) cells += `,${ATTRIBUTE} ${(n * (i + 1)) % 9_973}`;
    void writer.write(`${email},${firstName},${lastName}${cells}\n`);
    if (n % ROWS_A_FLUSH === 0) await writer.flush();
  }
  await writer.end();
}

async function bareInserts(count: number): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-bare-"));
  try {
    const script = resolve(import.meta.dir, "references/bare-import.ts");
    const child = Bun.spawn([process.execPath, script, directory, String(count)], { stdout: "pipe" });
    const perSecond = Number(await new Response(child.stdout).text());
    await child.exited;
    return { perSecond, cpuMicros: Number(child.resourceUsage()!.cpuTime.total) / count };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
