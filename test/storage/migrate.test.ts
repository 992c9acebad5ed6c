import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MigrationError, migrationHash, type Migration } from "#storage/common/engine/migrations.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 9);
const BREAK = "--> statement-breakpoint";

/** A small house: a parent whose children go when it goes. */
const PEOPLE: Migration = {
  name: "0001_people",
  sql: `CREATE TABLE people (seq INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
${BREAK}
CREATE TABLE letters (seq INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (seq) ON DELETE CASCADE) STRICT;`,
};
const AGES: Migration = { name: "0002_ages", sql: "ALTER TABLE people ADD COLUMN age INTEGER;" };
const REBUILD: Migration = {
  name: "0003_rebuild",
  sql: `CREATE TABLE people_new (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, CHECK (age >= 0)) STRICT;
${BREAK}
INSERT INTO people_new SELECT seq, name, age FROM people;
${BREAK}
DROP TABLE people;
${BREAK}
ALTER TABLE people_new RENAME TO people;
${BREAK}
`,
};

let folder: string;
let sqlite: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  sqlite = open();
});
afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

function open(): Database {
  const opened = new Database(join(folder, "house.db"), { create: true, strict: true });
  opened.run("PRAGMA journal_mode = WAL");
  opened.run("PRAGMA foreign_keys = ON");
  return opened;
}

function fill(): void {
  sqlite.run("INSERT INTO people (seq, name) VALUES (1, 'Ada'), (2, 'Grace')");
  sqlite.run("INSERT INTO letters VALUES (1, 1), (2, 1), (3, 2)");
}

const names = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);
const files = () =>
  readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .toSorted();

/** The whole database as data: its tables, and every row in them. */
function contents(of = sqlite): unknown {
  const schema = of
    .query("SELECT type, name, sql FROM sqlite_schema WHERE name <> 'schema_migrations' ORDER BY name")
    .all();
  const tables = of
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return [schema, tables.map(({ name }) => [name, of.query(`SELECT * FROM ${name}`).all()])];
}

function refusalOf(run: () => unknown): MigrationError {
  try {
    run();
  } catch (error) {
    if (error instanceof MigrationError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}

describe("a fresh database", () => {
  test("gets every migration, in order, each recorded once, without a backup", () => {
    expect(migrate(sqlite, [PEOPLE, AGES], NOW)).toEqual(["0001_people", "0002_ages"]);
    const recorded = sqlite
      .query("SELECT name, length(hash) AS n, applied_at AS at FROM schema_migrations ORDER BY name")
      .all();
    expect(recorded).toEqual(names([PEOPLE, AGES]).map((name) => ({ name, n: 64, at: NOW })));
    expect(files()).toEqual(["house.db"]);
  });

  test("and once more changes nothing", () => {
    migrate(sqlite, [PEOPLE, AGES], NOW);
    fill();
    const before = contents();
    expect(migrate(sqlite, [PEOPLE, AGES], NOW + 1)).toEqual([]);
    expect(contents()).toEqual(before);
    expect(files()).toEqual(["house.db"]);
  });

  test("is brought up only once when two processes open it at the same time", () => {
    const other = open();
    // The second one has looked before the first one wrote: what it takes for pending is done when its turn
    // comes.
    const exec = other.exec.bind(other);
    let isFirst = true;
    other.exec = (sql: string, ...rest: never[]) => {
      if (sql.includes("foreign_keys = OFF") && isFirst) {
        isFirst = false;
        migrate(sqlite, [PEOPLE], NOW);
      }
      return exec(sql, ...rest);
    };
    expect(migrate(other, [PEOPLE], NOW)).toEqual([]);
    expect(sqlite.query("SELECT name FROM schema_migrations").all()).toEqual([{ name: "0001_people" }]);
    other.close();
  });
});

describe("a database with rows in it", () => {
  beforeEach(() => {
    migrate(sqlite, [PEOPLE], NOW);
    fill();
  });

  test("is copied beside itself before anything changes; the copy is whole, closed to others, and opens", () => {
    const before = contents();
    expect(migrate(sqlite, [PEOPLE, AGES], NOW)).toEqual(["0002_ages"]);
    expect(files()).toEqual(["house.db", "house.db.before-0002_ages"]);
    const path = join(folder, "house.db.before-0002_ages");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const copy = new Database(path, { readonly: true });
    expect(copy.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(contents(copy)).toEqual(before);
    copy.close();
  });

  test("is told of before each step: the copy, every migration, the references where rows were changed", () => {
    const steps: unknown[] = [];
    migrate(sqlite, [PEOPLE, AGES, REBUILD], NOW, ({ from, to }, step) => {
      expect([from, to]).toEqual(["0001_people", "0003_rebuild"]);
      const columns = sqlite.query("SELECT name FROM pragma_table_info('people')").values().flat();
      steps.push([step, files().length, columns.includes("age")]);
    });
    expect(steps).toEqual([
      [{ kind: "copies" }, 1, false],
      [{ kind: "applies", migration: "0002_ages", number: 1, of: 2 }, 2, false],
      [{ kind: "applies", migration: "0003_rebuild", number: 2, of: 2 }, 2, true],
      [{ kind: "checks" }, 2, true],
      [{ kind: "done", copy: join(folder, "house.db.before-0002_ages") }, 2, true],
    ]);
  });

  test("is told of no more where it is current, and no upgrade where it is new", () => {
    const tell = (): never => {
      throw new Error("told");
    };
    expect(migrate(sqlite, [PEOPLE], NOW, tell)).toEqual([]);
    const empty = new Database(":memory:");
    expect(migrate(empty, [PEOPLE, AGES], NOW, tell)).toEqual(["0001_people", "0002_ages"]);
    empty.close();
  });

  test("keeps an earlier backup of the same name: the next ones are numbered", () => {
    const path = join(folder, "house.db.before-0002_ages");
    migrate(sqlite, [PEOPLE, AGES], NOW);
    const first = readFileSync(path);
    for (const name of ["house.db.before-0002_ages-2", "house.db.before-0002_ages-3"]) {
      sqlite.run("DELETE FROM schema_migrations WHERE name = '0002_ages'");
      sqlite.run("ALTER TABLE people DROP COLUMN age");
      migrate(sqlite, [PEOPLE, AGES], NOW);
      expect(files()).toContain(name);
    }
    expect(readFileSync(path)).toEqual(first);
  });

  describe("whose references are broken already", () => {
    beforeEach(() => {
      sqlite.run("PRAGMA foreign_keys = OFF");
      sqlite.run("INSERT INTO letters VALUES (9, 99)");
    });
    const CHANGES: [string, boolean][] = [
      ["CREATE TABLE pets (seq INTEGER PRIMARY KEY) STRICT;", true],
      ["-- Why.\n\n-- And how.\nCREATE INDEX letters_by_person ON letters (person);", true],
      ["ALTER TABLE people ADD COLUMN age INTEGER", true],
      [
        "CREATE TRIGGER gone AFTER DELETE ON people BEGIN DELETE FROM letters WHERE person = old.seq; SELECT 1; END;",
        true,
      ],
      ["ALTER TABLE people ADD COLUMN friend INTEGER REFERENCES people (seq);", false],
      ["ALTER TABLE people RENAME TO persons;", false],
      ["UPDATE people SET name = 'Ada';", false],
      ["CREATE TABLE pets (seq INTEGER PRIMARY KEY) STRICT; DELETE FROM people;", false],
      ["CREATE TRIGGER gone AFTER DELETE ON people BEGIN SELECT 1; END; DELETE FROM people;", false],
    ];
    test.each(CHANGES)("%s: brought up without a look at them: %p", (sql, isBroughtUp) => {
      const added = { name: "0002_more", sql };
      if (isBroughtUp) expect(migrate(sqlite, [PEOPLE, added], NOW)).toEqual(["0002_more"]);
      else
        expect(refusalOf(() => migrate(sqlite, [PEOPLE, added], NOW)).message).toContain("broken references");
    });
  });

  test("keeps the children of a table that is rebuilt, and their foreign key works afterwards", () => {
    const children = sqlite.query("SELECT * FROM letters").all();
    migrate(sqlite, [PEOPLE, AGES, REBUILD], NOW);
    expect(sqlite.query("SELECT * FROM letters").all()).toEqual(children);
    expect(sqlite.query("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
    expect(() => sqlite.run("INSERT INTO letters VALUES (9, 99)")).toThrow("FOREIGN KEY");
    sqlite.run("DELETE FROM people WHERE seq = 1");
    expect(sqlite.query("SELECT seq FROM letters").all()).toEqual([{ seq: 3 }]);
  });

  const FAILURES: [string, readonly Migration[]][] = [
    [
      "has a mistake in its SQL",
      [
        {
          name: "0003_bad",
          sql: `CREATE TABLE more (n INTEGER);\n${BREAK}\nCREATE TABEL other (n INTEGER);`,
        },
      ],
    ],
    [
      "fails on the rows that are there",
      [
        {
          name: "0003_bad",
          sql: `UPDATE people SET age = 5;\n${BREAK}\nCREATE UNIQUE INDEX one_age ON people (age);`,
        },
      ],
    ],
    ["leaves references broken", [{ name: "0003_bad", sql: "DELETE FROM people WHERE seq = 1;" }]],
    ["comes after a good one", [REBUILD, { name: "0004_bad", sql: "DROP TABLE nowhere;" }]],
  ];

  test.each(FAILURES)("is as it was before when a migration %s", (_name, bad) => {
    const before = contents();
    expect(() => migrate(sqlite, [PEOPLE, AGES, ...bad], NOW)).toThrow();
    expect(contents()).toEqual(before);
    expect(sqlite.inTransaction).toBe(false);
    expect(sqlite.query("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
    expect(sqlite.query("SELECT name FROM schema_migrations").all()).toEqual([{ name: "0001_people" }]);
    expect(files()).toEqual(["house.db"]);
    expect(migrate(sqlite, [PEOPLE, AGES], NOW)).toEqual(["0002_ages"]);
  });

  test("is copied only by who has the lock: one that waits leaves nothing, and writes over what a kill left", () => {
    const path = join(folder, "house.db.before-0002_ages");
    writeFileSync(`${path}.part`, "cut off");
    const other = open();
    other.run("BEGIN IMMEDIATE");
    expect(() => migrate(sqlite, [PEOPLE, AGES], NOW)).toThrow("locked");
    expect(readFileSync(`${path}.part`, "utf8")).toBe("cut off");
    other.run("UPDATE people SET name = 'Alan' WHERE seq = 1");
    other.run("COMMIT");
    other.close();
    const before = contents();
    migrate(sqlite, [PEOPLE, AGES], NOW);
    expect(files()).toEqual(["house.db", "house.db.before-0002_ages"]);
    const copy = new Database(path, { readonly: true });
    expect(contents(copy)).toEqual(before);
    copy.close();
  });
});

test("an upgrade that was killed as soon as it was committed: the next start gives its copy the name", () => {
  migrate(sqlite, [PEOPLE], NOW);
  fill();
  const before = contents();
  migrate(sqlite, [PEOPLE, AGES], NOW);
  const path = join(folder, "house.db.before-0002_ages");
  renameSync(path, `${path}.whole`);
  expect(migrate(sqlite, [PEOPLE, AGES], NOW)).toEqual([]);
  expect(files()).toEqual(["house.db", "house.db.before-0002_ages"]);
  const copy = new Database(path, { readonly: true });
  expect(contents(copy)).toEqual(before);
  copy.close();
});

describe("the copy of an upgrade by the next version", () => {
  const path = () => join(folder, "house.db.before-0002_ages");
  beforeEach(() => {
    migrate(sqlite, [PEOPLE], NOW);
    fill();
  });

  test.each([".whole", "-2.whole", ".part"])(
    "that was killed before it was committed: this version takes %s away, because nothing was upgraded",
    (end) => {
      writeFileSync(`${path()}-1`, "of an upgrade that was committed");
      writeFileSync(`${path()}${end}`, "a copy");
      expect(migrate(sqlite, [PEOPLE], NOW)).toEqual([]);
      expect(files()).toEqual(["house.db", "house.db.before-0002_ages-1"]);
    },
  );

  test("that is under way: this version leaves it alone, and it gets its name when it is committed", () => {
    const other = open();
    other.run("BEGIN IMMEDIATE");
    for (const end of [".whole", "-2.part"]) writeFileSync(`${path()}${end}`, "a copy");
    const before = files();
    expect(migrate(sqlite, [PEOPLE], NOW)).toEqual([]);
    expect(files()).toEqual(before);
    other.run("INSERT INTO schema_migrations VALUES (?, ?, 1)", [AGES.name, migrationHash(AGES)]);
    other.run("COMMIT");
    other.close();
    expect(migrate(sqlite, [PEOPLE, AGES], NOW)).toEqual([]);
    expect(files()).toEqual(["house.db", "house.db.before-0002_ages"]);
  });
});

describe("a database this program must not touch", () => {
  beforeEach(() => {
    migrate(sqlite, [PEOPLE, AGES], NOW);
    fill();
  });

  const REFUSED: [string, readonly Migration[], RegExp][] = [
    ["was written by a newer version", [PEOPLE], /newer Postrider.*0002_ages/],
    [
      "was made with another text of a migration",
      [PEOPLE, { ...AGES, sql: `${AGES.sql} ` }],
      /0002_ages differs/,
    ],
    ["is both newer and behind", [PEOPLE, REBUILD], /newer Postrider.*0002_ages/],
  ];

  test.each(REFUSED)("%s: it says so and leaves it alone", (_name, migrations, message) => {
    const before = contents();
    expect(refusalOf(() => migrate(sqlite, migrations, NOW)).message).toMatch(message);
    expect(contents()).toEqual(before);
    expect(files()).toEqual(["house.db"]);
  });
});
