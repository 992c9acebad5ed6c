/**
 * Without figures of its tables (ANALYZE), SQLite takes the index with the most columns that are compared, though another one
 * leads to a handful of rows. So these statements say which way they mean.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { automationReads } from "#storage/sqlite/automations/automation-reads.ts";
import { consentLogPage } from "#storage/sqlite/consent/consent-log.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { listMembers } from "#storage/sqlite/lists/list-members.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { ledgerMoves } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import { runRegistry } from "#storage/sqlite/ledger/run-registry.ts";
import { messageStore } from "#storage/sqlite/transactional/message-store.ts";
import { spyOnStatements } from "../support/storage/statement-spy.ts";

const spy = spyOnStatements();
const sqlite = new Database(":memory:", { strict: true });
migrate(sqlite, MIGRATIONS, 0);
afterAll(() => {
  spy.stop();
  sqlite.close();
});
beforeEach(() => void spy.take());

const PAGE = { limit: 20, before: null };

/** How the statements since the last look read these tables. */
const readOf = (...names: readonly string[]): string[] =>
  spy
    .take()
    .filter((sql) => !sql.startsWith("EXPLAIN"))
    .flatMap((sql) => sqlite.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => detail)
    .filter((detail) => names.some((name) => new RegExp(`^(SEARCH|SCAN) ${name}\\b`).test(detail)));

describe("few rows among a million are found by the index that leads to them", () => {
  test("the check can fail: it sees an index that is shared by all", () => {
    sqlite.query("SELECT count(*) FROM consent_log WHERE workspace = 1 AND contact_id = 'ct_1'").get();
    expect(readOf("consent_log")).toEqual([
      "SEARCH consent_log USING INDEX consent_log_by_address (workspace=?)",
    ]);
  });

  test("one person's decisions", () => {
    for (const email of [null, "ada@example.com"]) {
      consentLogPage(sqlite, 1, { email, contactId: "ct_1" }, PAGE);
      const read = readOf("consent_log");
      expect(read).toHaveLength(2);
      for (const each of read) expect(each).toContain("consent_log_by_contact (contact_id=?");
    }
    consentLogPage(sqlite, 1, { email: "ada@example.com", contactId: null }, PAGE);
    for (const each of readOf("consent_log")) expect(each).toContain("(workspace=? AND address=?");
  });

  test("whether somebody left a list from which very many have gone", () => {
    listMembers(sqlite).addRows(1, [1], 0);
    listMembers(sqlite).hasLeft(1, "list_1", "ct_1");
    const read = readOf("d", "w");
    expect(read).toHaveLength(4);
    for (const each of read) expect(each).toContain("list_departures_by_contact (contact=?");
  });

  test("messages in a state that is rare", async () => {
    const store = messageStore({ sqlite } as SqliteDatabase, () => 1);
    await store.page("ws_1", { email: null, state: "FAILED" }, PAGE);
    expect(readOf("x")).toEqual([
      "SEARCH x USING INDEX messages_by_state (workspace=? AND state=? AND delivery<?)",
    ]);
    await store.page("ws_1", { email: "ada@example.com", state: "FAILED" }, PAGE);
    const read = readOf("x");
    expect(read).toHaveLength(2);
    for (const each of read) expect(each).toContain("(workspace=? AND address=?");
  });

  test("what the run before left at the dot, at each start", async () => {
    const writes = { write: async <T>(work: () => T) => work() };
    const database = { sqlite, writes } as SqliteDatabase;
    await runRegistry(database, ledgerMoves(sqlite)).sweep(0);
    const all = readOf("d", "m");
    const read = all.filter((each) => each.includes("deliveries_by_state"));
    expect(read).toHaveLength(2);
    for (const each of read) expect(each).toStartWith("SEARCH d ");
    // Not through all mailings: each single mail is one.
    const mailings = all.filter((each) => / m\b/.test(each));
    expect(mailings.length).toBeGreaterThan(1);
    for (const each of mailings) expect(each).toContain("(phase=?)");
  });

  test("runs in trouble among all that wait", () => {
    automationReads(sqlite).troubles(1);
    expect(readOf("enrollments")).toEqual([
      "SEARCH enrollments USING INDEX enrollments_in_trouble (automation=?)",
    ]);
  });
});
