import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { FEATURE_USES } from "./support/house/architecture-plan.ts";
import {
  type Violation,
  checkCycles,
  checkImports,
  checkListed,
  checkSizes,
  importGraph,
} from "./support/house/architecture.ts";
import { checkReserved } from "./support/house/reserved-names.ts";
import { type SourceFile, importsOf } from "./support/house/source-scan.ts";
import { unusedValues } from "./support/house/unused-values.ts";

const ROOT = resolve(import.meta.dir, "..");

// It reads every file of the house: seconds on a machine that is at rest, and many more on one that is not.
setDefaultTimeout(180_000);

/** Values that only tests import, each with the reason why it is no rule that runs nowhere. */
const FOR_TESTS_ONLY: Readonly<Record<string, string>> = {
  "src/storage/postgres/engine/asked-now.ts#askedNow":
    "a test that holds the clock lets the database answer first",
  "src/storage/sqlite/engine/writes/wal-flush.ts#flushesUnderWay":
    "a test that holds the clock lets the disk finish first",
};

/** Whole rooms of them, for the same. */
const READ_OTHERWISE: readonly string[] = [
  // The tables of the schema are read as a whole, and compared with the migrations by a test of their own.
  "src/storage/sqlite/schema/tables/",
  // The same of the second engine.
  "src/storage/postgres/schema/tables/",
];

/** What runs in browsers; its rules are in test/console/house/house.test.ts. */
const UI = "src/console/ui/";

const files: SourceFile[] = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: ROOT })]
  .filter((path) => !path.startsWith(UI))
  .toSorted()
  .map((path) => ({ path, source: readFileSync(`${ROOT}/${path}`, "utf8") }));

const lines = (violations: readonly Violation[]): string[] =>
  violations.map(({ rule, file, detail }) => `[${rule}] ${file}: ${detail}`);

describe("the house", () => {
  test("is seen: the checks read the real files and their imports", () => {
    // Listed in another way: a pattern or a filter that loses a room leaves no wall unwatched.
    const there = readdirSync(`${ROOT}/src`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.startsWith("console/ui/"))
      .map((name) => `src/${name}`);
    expect(files.map(({ path }) => path)).toEqual(there.toSorted());
    expect(files.map(({ path }) => path)).toContain("src/core/time/clock.ts");
    expect(importGraph(files).get("src/core/ids.ts")).toContain("src/core/time/clock.ts");
  });

  test("is read whole: every import the transpiler finds is found here too", () => {
    const transpiler = new Bun.Transpiler({ loader: "ts" });
    for (const { path, source } of files) {
      const found = importsOf(source).map(({ specifier }) => specifier);
      for (const { path: specifier } of transpiler.scanImports(source))
        expect([path, ...found]).toContain(specifier);
    }
  });

  test("imports in one direction, packages by their owners, rules purely", () => {
    expect(lines(checkImports(files))).toEqual([]);
  });

  test("lists by hand only the files whose names do not say their role", () => {
    expect(lines(checkListed(files.map(({ path }) => path)))).toEqual([]);
  });

  test("reads time, chance and the environment in one place each", () => {
    expect(lines(checkReserved(files))).toEqual([]);
  });

  test("has no cycle, neither of files nor of features", () => {
    expect(lines(checkCycles(importGraph(files)))).toEqual([]);
    expect(lines(checkCycles(new Map(Object.entries(FEATURE_USES))))).toEqual([]);
  });

  test("has no folder with more files than one looks through", () => {
    const paths = [...new Bun.Glob("{src,test}/**/*").scanSync({ cwd: ROOT })].filter(
      (path) => !path.startsWith("test/fixtures/"),
    );
    expect(paths).toContain("src/console/ui/base.css");
    expect(paths).toContain("test/architecture.test.ts");
    expect(lines(checkSizes(paths))).toEqual([]);
  });

  test("has every room on its page: docs/architecture.md", () => {
    const page = readFileSync(`${ROOT}/docs/architecture.md`, "utf8");
    const isOnPage = (room: string): boolean => {
      const [name = "", ...above] = room.split("/").toReversed();
      return page.includes(`${name}/\``) || (above.length === 0 && page.includes(`\`${name}\``));
    };
    const rooms = readdirSync(`${ROOT}/src`, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(`${ROOT}/src/${path}`).isDirectory())
      .filter((room) => room.split("/").length <= (room.startsWith("console/ui/") ? 3 : 2))
      // The rooms of an engine are those of the features.
      .filter((room) => !room.startsWith("storage/"));
    expect(rooms).toContain("console/ui/autosave");
    expect(isOnPage("console/ui/cellar")).toBe(false);
    expect(rooms.filter((room) => !isOnPage(room))).toEqual([]);
  });

  test("keeps what both engines use in the rooms that the engines have", () => {
    const roomsOf = (part: string): string[] =>
      readdirSync(`${ROOT}/src/storage/${part}`, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const common = roomsOf("common");
    expect(common).toContain("timeline");
    for (const engine of ["sqlite", "postgres"])
      expect(roomsOf(engine)).toEqual(expect.arrayContaining(common));
  });

  test("has no rule that only tests run", () => {
    const unused = unusedValues(files).filter(
      (name) => !READ_OTHERWISE.some((room) => name.startsWith(room)),
    );
    expect(unused.toSorted()).toEqual(Object.keys(FOR_TESTS_ONLY).toSorted());
  });
});
