import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareCommand, firstAnswer } from "./references/bare-server.ts";
import { memoryMb, postriderCommand } from "./processes/processes.ts";
import { seed } from "./data/seed.ts";
import type { Row } from "./figures/table.ts";

const OUR_PORT = 18_352;
const THEIR_PORT = 18_353;
const ROUNDS = 9;
/** Longer than the server takes to give back what only its start needed. */
const IDLE_AFTER_MS = 10_000;

type Started = { readonly pid: number; readonly startMs: number; stop(): Promise<void> };

/**
 * How long it takes from the start of the process to the first answer, and how much memory an idle server
 * uses. The reference is the hello from Elysia's own page, compiled in the same way.
 * @param dataDir a directory with `contacts` contacts; without it, a new one is filled
 */
export async function startupBench(contacts = 1_000_000, dataDir?: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-startup-"));
  try {
    const data = dataDir ?? join(folder, "data");
    if (dataDir === undefined) await seed(data, { contacts, events: contacts });
    const flags = ["serve", "--data-dir", data, "--smtp-url", "smtp://127.0.0.1:1", "--port"];
    const hello = await bareCommand("bare-hello", folder);
    return await compared(contacts, hello, postriderCommand().concat(flags));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compared(contacts: number, hello: string[], postrider: string[]): Promise<Row[]> {
  const startMs = { ours: [] as number[], theirs: [] as number[] };
  // The first round reads both executables from the disk, for all later rounds.
  for (let round = 0; round <= ROUNDS; round++) {
    const theirs = await started(hello, THEIR_PORT);
    await theirs.stop();
    const ours = await started(postrider, OUR_PORT);
    await ours.stop();
    if (round === 0) continue;
    startMs.theirs.push(theirs.startMs);
    startMs.ours.push(ours.startMs);
  }
  const [theirs, ours] = await Promise.all([started(hello, THEIR_PORT), started(postrider, OUR_PORT)]);
  await Bun.sleep(IDLE_AFTER_MS);
  const idleMb = { ours: memoryMb(ours.pid), theirs: memoryMb(theirs.pid) };
  await Promise.all([theirs.stop(), ours.stop()]);
  const reference = "bare compiled Elysia hello";
  const theirStartMs = median(startMs.theirs);
  return [
    {
      what: `start to first answer with ${contacts} contacts, ms`,
      reference,
      ours: median(startMs.ours),
      theirs: theirStartMs,
      goal: { atMost: Math.round(theirStartMs * 1.5 + 50) },
    },
    {
      what: "idle memory, MB",
      reference,
      ...idleMb,
      goal: { atMost: 60 },
    },
    {
      what: "size of the executable, MB",
      reference,
      ours: sizeMb(postrider),
      theirs: sizeMb(hello),
      goal: null,
    },
  ];
}

async function started(command: readonly string[], port: number): Promise<Started> {
  const startedMs = performance.now();
  const child = Bun.spawn([...command, String(port)], { stdout: "ignore", stderr: "ignore" });
  await firstAnswer(`http://127.0.0.1:${port}`);
  return {
    pid: child.pid,
    startMs: performance.now() - startedMs,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

const sizeMb = ([executable]: readonly string[]): number => statSync(executable!).size / 1024 / 1024;

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
