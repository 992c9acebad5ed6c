/**
 * Who is asked, moved in and taken out, at a million contacts: segments first; imports, bulk and exports add
 * their parts below. `AUDIENCE_CONTACTS=N` makes everything smaller, to try the bench itself.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTRIBUTES_SQL, deliveriesSql, SCORING_SQL } from "./audience-sql.ts";
import { firstAnswer } from "./bare-server.ts";
import { postriderCommand, type Running } from "./processes.ts";
import { seed, type Seeded } from "./seed.ts";
import { segmentRows } from "./segments.ts";
import type { Row } from "./table.ts";

const CONTACTS = Number(process.env["AUDIENCE_CONTACTS"] ?? 1_000_000);
const PORT = 18_450;

/** A running server with a full database. */
export type Audience = Seeded &
  Running & {
    readonly url: string;
    /** Of two campaigns that went to everybody who may be mailed. */
    readonly campaignIds: readonly string[];
    call(method: string, path: string, body?: unknown): Promise<Answer>;
  };

/** What the parts read of an answer. */
export type Answer = { readonly data: { readonly id: string; readonly total: number } };

const PARTS: readonly ((audience: Audience) => Promise<Row[]>)[] = [segmentRows];

export async function audienceBench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-audience-"));
  try {
    const seeded = await seed(dataDir, { contacts: CONTACTS, events: 5 * CONTACTS });
    const audience = await serve(dataDir, seeded, seedAudience(dataDir));
    try {
      const rows: Row[] = [];
      for (const part of PARTS) rows.push(...(await part(audience)));
      return rows;
    } finally {
      await audience.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** What `seed` leaves out. Returns the campaigns that were sent to everybody. */
function seedAudience(dataDir: string): string[] {
  const sqlite = new Database(join(dataDir, "postrider.db"), { strict: true });
  for (const pragma of ["synchronous = OFF", "cache_size = -1000000"]) sqlite.exec(`PRAGMA ${pragma}`);
  const campaigns = sqlite
    .query<{ seq: number; id: string }, []>(
      "SELECT seq, id FROM campaigns WHERE status = 'SENT' ORDER BY seq DESC LIMIT 2",
    )
    .all();
  sqlite.exec("BEGIN");
  for (const sql of [...ATTRIBUTES_SQL, ...campaigns.map(({ seq }) => deliveriesSql(seq)), ...SCORING_SQL])
    sqlite.exec(sql);
  sqlite.exec("COMMIT");
  sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite.close();
  return campaigns.map(({ id }) => id);
}

async function serve(dataDir: string, seeded: Seeded, campaignIds: readonly string[]): Promise<Audience> {
  // As on a machine that has served for a while: the file is in memory.
  for await (const _ of Bun.file(join(dataDir, "postrider.db")).stream());
  const flags = ["serve", "--data-dir", dataDir, "--port", String(PORT), "--smtp-url", "smtp://127.0.0.1:1"];
  const child = Bun.spawn([...postriderCommand(), ...flags], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${PORT}`;
  await firstAnswer(url);
  return {
    ...seeded,
    campaignIds,
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
