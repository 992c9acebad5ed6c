import { Database } from "bun:sqlite";
import { join } from "node:path";
import { tokensOf } from "#deliveries/token.ts";

export const CONTACTS = 50_000;
const MESSAGES = 300_000;

/** What the benches of routes request: contacts by id, and the links of messages that were sent. */
export type RoutesData = {
  readonly contactIds: readonly string[];
  readonly openPaths: readonly string[];
  readonly clickPaths: readonly string[];
};

/**
 * Fills the database of a server that may be running, in one transaction. The reference needs the contacts
 * only.
 */
export function fillDatabase(dataDir: string, withMessages: boolean): RoutesData {
  const database = new Database(join(dataDir, "postrider.db"));
  database.exec("PRAGMA busy_timeout = 20000");
  database.exec("BEGIN IMMEDIATE");
  database.exec(
    "INSERT INTO workspaces (seq, id, created_at) VALUES (1, 'ws_bench', 0) ON CONFLICT DO NOTHING",
  );
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONTACTS})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT format('ct_%026d', i), 1, 'known' || i || '@example.com', 'Ada', 'Lovelace', 'SUBSCRIBED',
       format('known%d@example.com%sada%slovelace', i, char(10), char(10)), 0 FROM n`,
  );
  if (withMessages) fillMessages(database);
  const secret = database.query<{ s: Uint8Array }, []>("SELECT signing_secret AS s FROM instance").get()!.s;
  database.exec("COMMIT");
  database.close();
  const tokens = withMessages ? Array.from({ length: MESSAGES }, (_, n) => tokensOf(secret, n + 1)) : [];
  return {
    contactIds: Array.from({ length: CONTACTS }, (_, n) => `ct_${String(n + 1).padStart(26, "0")}`),
    openPaths: tokens.map(({ open }) => `/o/${open}`),
    clickPaths: tokens.map(({ click }) => `/c/${click}/0`),
  };
}

function fillMessages(database: Database): void {
  database.exec(
    `INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at, planned, sent, accepted)
       VALUES (1, 1, 'campaign', 'cmp_bench', 'finished', 0, ${MESSAGES}, ${MESSAGES}, ${MESSAGES});
     INSERT INTO mailing_links VALUES (1, 0, 'https://shop.example.org/item/1'), (1, 1, 'https://shop.example.org/item/2');
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES})
       INSERT INTO deliveries (seq, mailing, contact, address, state, attempts, settled_at)
       SELECT i, 1, 1 + i % ${CONTACTS}, 'reader' || i || '@example.com', 'sent', 1, 1 FROM n`,
  );
}
