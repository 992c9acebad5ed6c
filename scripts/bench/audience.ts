/**
 * The audience of these benches, a million contacts, and the full database that it needs. `AUDIENCE_CONTACTS=N`
 * makes everything smaller, to try the bench itself; `audience-import.ts` follows it too.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTRIBUTES_SQL, deliveriesSql, SCORING_SQL } from "./data/audience-sql.ts";
import { firstAnswer } from "./references/bare-server.ts";
import { postriderCommand, type Running } from "./processes/processes.ts";
import { seed, type Seeded } from "./data/seed.ts";
import { segmentRows } from "./segments.ts";
import type { Row } from "./figures/table.ts";

export const AUDIENCE_CONTACTS = Number(process.env["AUDIENCE_CONTACTS"] ?? 1_000_000);
const PORT = 18_450;

/** A running server with a full database. */
type SeededServer = Seeded &
  Running & {
    readonly url: string;
    call(method: string, path: string, body?: unknown): Promise<Answer>;
  };

export type Audience = SeededServer & {
  /** Of two campaigns that went to everybody who may be mailed. */
  readonly campaignIds: readonly string[];
};

/** What the parts read of an answer. */
type Answer = { readonly data: { readonly id: string; readonly total: number } };

export async function segmentsBench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-audience-"));
  try {
    const seeded = await seed(dataDir, { contacts: AUDIENCE_CONTACTS, events: 5 * AUDIENCE_CONTACTS });
    const campaignIds = seedAudience(dataDir);
    const audience = { ...(await serve(dataDir, seeded)), campaignIds };
    try {
      return await segmentRows(audience);
    } finally {
      await audience.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Adds what `seed` leaves out. Returns the campaigns that were sent to everybody. */
function seedAudience(dataDir: string): string[] {
  const sqlite = new Database(join(dataDir, "postrider.db"), { strict: true });
  const campaigns = sqlite
    .query<{ seq: number; id: string }, []>(
      "SELECT seq, id FROM campaigns WHERE status = 'SENT' ORDER BY seq DESC LIMIT 2",
    )
    .all();
  sqlite.close();
  addTo(dataDir, [...ATTRIBUTES_SQL, ...campaigns.map(({ seq }) => deliveriesSql(seq)), ...SCORING_SQL]);
  return campaigns.map(({ id }) => id);
}

/** Runs statements on a seeded database that nobody serves yet. */
export function addTo(dataDir: string, statements: readonly string[]): void {
  const sqlite = new Database(join(dataDir, "postrider.db"), { strict: true });
  for (const pragma of ["synchronous = OFF", "cache_size = -1000000"]) sqlite.exec(`PRAGMA ${pragma}`);
  sqlite.exec("BEGIN");
  for (const sql of statements) sqlite.exec(sql);
  sqlite.exec("COMMIT");
  sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite.close();
}

/** Starts a server on a seeded database. */
export async function serve(dataDir: string, seeded: Seeded): Promise<SeededServer> {
  // As on a machine that has served for a while: the file is in memory.
  for await (const _ of Bun.file(join(dataDir, "postrider.db")).stream());
  const flags = ["serve", "--data-dir", dataDir, "--port", String(PORT), "--smtp-url", "smtp://127.0.0.1:1"];
  const child = Bun.spawn([...postriderCommand(), ...flags], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${PORT}`;
  await firstAnswer(url);
  return {
    ...seeded,
    url,
    pid: child.pid,
    async call(method, path, body) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${seeded.key}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
      return JSON.parse(text) as Answer;
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
