import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keepDecisions } from "#storage/sqlite/files/kept-decisions.ts";
import { FILLED } from "../support/storage/filled-database.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const fixtures = readdirSync(FIXTURES).filter((name) => /^schema-\d+\.sql$/.test(name));

/** A file as that version left it. */
function databaseOf(fixture: string): Database {
  const sqlite = new Database(":memory:", { strict: true });
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite.run(readFileSync(`${FIXTURES}/${fixture}`, "utf8"));
  // All are of one installation.
  sqlite.run("UPDATE workspaces SET id = 'wsp_1' WHERE seq = 1");
  return sqlite;
}

test.each(fixtures)(
  "what a database knows is taken over from and into one of an earlier version: %s",
  (fixture) => {
    const newest = fixtures.toSorted().at(-1)!;
    for (const [from, into] of [
      [fixture, newest],
      [newest, fixture],
    ] as const) {
      using old = databaseOf(from);
      using copy = databaseOf(into);
      old.run(
        "INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, 'left@example.com', 'COMPLAINT', 1)",
      );
      old.run("INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'new.example', 1)");
      old.run("UPDATE contacts SET status = 'UNSUBSCRIBED' WHERE email = 'ada@example.com'");
      expect(keepDecisions(copy, old)).toMatchObject({ revokedKeys: 0, optOuts: expect.any(Number) });
      const known = (sql: string) => copy.query(sql).values().flat();
      expect(known("SELECT reason FROM suppressions WHERE address = 'left@example.com'")).toEqual([
        "COMPLAINT",
      ]);
      expect(known("SELECT domain FROM blocked_domains ORDER BY domain")).toEqual(
        [FILLED.blockedDomain, "new.example"].toSorted(),
      );
      expect(known("SELECT status FROM contacts WHERE email = 'ada@example.com'")).toEqual(["UNSUBSCRIBED"]);
      expect(
        known(
          "SELECT list FROM list_members m JOIN contacts c ON c.seq = m.contact WHERE c.email = 'ada@example.com'",
        ),
      ).toEqual([]);
    }
  },
);

test("a confirmation link that is void stays void, and another does not become so", () => {
  const newest = fixtures.toSorted().at(-1)!;
  using old = databaseOf(newest);
  using copy = databaseOf(newest);
  for (const sqlite of [old, copy]) {
    sqlite.run("DELETE FROM confirmations");
    for (const [delivery, address] of [
      [1, "left@example.com"],
      [2, "stays@example.com"],
    ] as const)
      sqlite.run(
        "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at) VALUES (?, 1, 'frm_1', ?, 5)",
        [delivery, address],
      );
  }
  old.run("UPDATE confirmations SET voided_at = 9 WHERE address = 'left@example.com'");
  keepDecisions(copy, old);
  expect(copy.query("SELECT address, voided_at FROM confirmations ORDER BY address").values()).toEqual([
    ["left@example.com", 9],
    ["stays@example.com", null],
  ]);
});
