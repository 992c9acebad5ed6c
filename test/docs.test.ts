import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { flowSchema } from "#automations/flow/flow-schema.ts";
import { FEATURE_USES } from "./support/house/architecture-plan.ts";
import {
  brokenCitations,
  brokenLinks,
  countCitations,
  headingsOf,
  measuredClaims,
  missingFiles,
  type Text,
  unknownFiles,
  unknownTests,
} from "./support/house/citations.ts";
import { actionNames, nodeTypes, triggerNames } from "./support/automations/flow-names.ts";

const ROOT = resolve(import.meta.dir, "..");
const THIS_CHECKER = ["test/docs.test.ts", "test/support/house/citations.ts"];

const read = (path: string): Text => ({ path, text: readFileSync(`${ROOT}/${path}`, "utf8") });
const exists = (path: string): boolean => existsSync(`${ROOT}/${path}`);
const filesUnder = (folder: string, ending: RegExp): Text[] =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !path.startsWith("test/fixtures/") && !THIS_CHECKER.includes(path))
    .map(read);

const code = ["src", "test", "scripts", "migrations"].flatMap((folder) =>
  filesUnder(folder, /\.(?:tsx?|sql)$/),
);
const docs = filesUnder("docs", /\.md$/);
const pages = [
  ...docs,
  ...readdirSync(ROOT)
    .filter((name) => name.endsWith(".md"))
    .map(read),
];

describe("what a comment cites", () => {
  test("is a page of docs/ and a heading on it", () => {
    expect(countCitations(code)).toBeGreaterThan(100);
    expect(brokenCitations(code, docs)).toEqual([]);
  });

  test("is a file that is there, where it is a file of code", () => {
    const paths = [...code, ...filesUnder("test/support", /^citations\.ts$/)].map(({ path }) => path);
    expect(
      unknownFiles(
        code.filter(({ path }) => path.startsWith("src/")),
        paths,
      ),
    ).toEqual([]);
  });

  test("is a test that is there, where a test leaves something to another one", () => {
    const tests = code.filter(({ path }) => path.startsWith("test/"));
    expect(
      unknownTests(
        tests,
        tests.map(({ path }) => path),
      ),
    ).toEqual([]);
  });

  test("is in the tree: no comment cites a page by another name", () => {
    const OTHER_WAYS =
      /\b(?:decisions|contract|failure catalogue), ?(?:sections?\b|"|[A-Z])|\((?:decisions|contract)[,;)]|\.\.\/(?:design|contract|shared)\b/;
    const found = code.filter(({ text }) => OTHER_WAYS.test(text.replaceAll(/\n\s*\*\s+/g, " ")));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

test("lines to paste have no comments: zsh, the shell of macOS, takes them for words of the command", () => {
  const blocks = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => ({ path, block })),
  );
  expect(blocks.length).toBeGreaterThan(20);
  expect(blocks.filter(({ block }) => /(?:^|\s)#/.test(block))).toEqual([]);
});

test("a comment gives reasons: what was measured stands in docs/performance.md", () => {
  expect(measuredClaims(code.filter(({ path }) => path.startsWith("src/")))).toEqual([]);
});

test("every figure of docs/performance.md names the bench that shows it", () => {
  const { text } = docs.find(({ path }) => path === "docs/performance.md")!;
  const benches = [...read("scripts/bench/main.ts").text.matchAll(/^ {2}(\w+): \(\) =>/gm)].map(
    ([, name]) => name,
  );
  const table = /^## Figures$([\s\S]*?)^## /m.exec(text)![1]!;
  const rows = table.split("\n").filter((line) => /^\| (?!what )/.test(line));
  expect([benches.length > 5, rows.length > 10]).toEqual([true, true]);
  expect(rows.filter((row) => !benches.includes(/\| `(\w+)` \|$/.exec(row)?.[1]))).toEqual([]);
});

describe("a page", () => {
  test("links to what is there", () => {
    expect(brokenLinks(pages, exists)).toEqual([]);
  });

  test("names files that are there", () => {
    expect(missingFiles(docs, exists)).toEqual([]);
  });
});

test("docs/architecture.md names every room of src", () => {
  const { text } = docs.find(({ path }) => path === "docs/architecture.md")!;
  const rooms = readdirSync(`${ROOT}/src`, { withFileTypes: true })
    .map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .filter((path) => !path.endsWith(".d.ts") && !(path.slice("src/".length, -1) in FEATURE_USES));
  expect(rooms.length).toBeGreaterThan(10);
  expect(rooms.filter((path) => !text.includes(`\`${path}`))).toEqual([]);
});

test("docs/architecture.md says of each feature whom it may use, as the plan does", () => {
  const { text } = docs.find(({ path }) => path === "docs/architecture.md")!;
  const table = /^## Who may use whom$([\s\S]*?)^## /m.exec(text)![1]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, feature, uses]) => [
    feature,
    [...uses!.matchAll(/`(\w+)`/g)].map(([, used]) => used),
  ]);
  expect(Object.fromEntries(rows)).toEqual(FEATURE_USES);
});

test("the pages on automations and the API's document name every node, trigger and action there is", () => {
  const nodes = nodeTypes();
  const kinds = [...triggerNames(), ...actionNames()];
  expect([nodes.length >= 5, kinds.length >= 11]).toEqual([true, true]);

  const documented = [
    ...JSON.stringify(flowSchema).matchAll(/"(?:const|enum)":(?:"(\w+)"|\[([^\]]*)\])/g),
  ].flatMap(([, one, several]) => one ?? several!.replaceAll('"', "").split(","));
  expect([...nodes, ...kinds].filter((name) => !documented.includes(name))).toEqual([]);
  const quotedOn = (path: string): string[] =>
    [...docs.find((page) => page.path === path)!.text.matchAll(/[`"](\w+)[`"]/g)].map(([, name]) => name!);
  const decisions = quotedOn("docs/decisions.md");
  expect([...nodes, ...kinds].filter((name) => !decisions.includes(name))).toEqual([]);
  const guide = quotedOn("docs/automations.md");
  expect(kinds.filter((name) => !guide.includes(name))).toEqual([]);
});

describe("the checker", () => {
  const page: Text = {
    path: "docs/decisions.md",
    text: "# Decisions\n\n## Public pages\n\n```md\n## Not one\n```\n",
  };
  const catalogue: Text = { path: "docs/failure-catalogue.md", text: "### A-01 Forms as a weapon\n" };
  const faultsOf = (text: string) => brokenCitations([{ path: "src/a.ts", text }], [page, catalogue]);

  test("finds a page, a heading and an entry that are not there, also over the end of a line", () => {
    expect(faultsOf('// docs/decision.md "HTTP"')).toEqual(["src/a.ts: there is no docs/decision.md"]);
    expect(faultsOf('// docs/decisions.md "Public pages", "HTTP"')).toEqual([
      'src/a.ts: docs/decisions.md has no heading "HTTP"',
    ]);
    expect(faultsOf('/**\n * See docs/decisions.md\n * "Not\n * one".\n */')).toEqual([
      'src/a.ts: docs/decisions.md has no heading "Not one"',
    ]);
    expect(faultsOf("test('no victim (A-02)')")).toEqual([
      "src/a.ts: docs/failure-catalogue.md has no entry A-02",
    ]);
  });

  test("is content with what is there", () => {
    expect(faultsOf('/**\n * docs/decisions.md\n * "Public\n * pages" (A-01)\n */')).toEqual([]);
    expect(faultsOf('// docs/failure-catalogue.md "A-01"')).toEqual([]);
    expect([...headingsOf(page.text)]).toEqual(["Decisions", "Public pages"]);
  });

  test("finds a measurement in a comment, also over the end of a line, and leaves limits alone", () => {
    const claimsIn = (text: string) => measuredClaims([{ path: "src/a.ts", text }]);
    expect(claimsIn("/**\n * One by one takes twice\n * as long.\n */")).toEqual(["src/a.ts: twice as long"]);
    expect(claimsIn("x(); // costs about 4 ms")).toEqual(["src/a.ts: costs about 4 ms"]);
    expect(claimsIn("/** At most 4 MB, within 20 ms. */ const text = 'takes 4 ms';")).toEqual([]);
  });

  test("finds links and files that lead nowhere", () => {
    const here: Text = {
      path: "docs/a.md",
      text: "[b](b.md) [c](#c) [up](../README.md#use) [web](https://example.com) `src/gone.ts` `#b/gone.ts` `#rgb`",
    };
    const there = new Set(["docs/a.md", "README.md"]);
    const readme: Text = { path: "README.md", text: "## Use\n" };
    const isThere = (path: string) => there.has(path);
    expect(brokenLinks([here, readme], isThere)).toEqual(["docs/a.md: b.md", "docs/a.md: #c"]);
    expect(brokenLinks([here], isThere)).toContain("docs/a.md: ../README.md#use");
    expect(missingFiles([here], isThere)).toEqual(["docs/a.md: src/gone.ts", "docs/a.md: #b/gone.ts"]);
    expect(missingFiles([here], (path) => /^src\/(?:gone|b\/gone)\.ts$/.test(path))).toEqual([]);
  });

  test("notices a test that is named and not there", () => {
    const text = 'needsSqlite("a/b.test.ts does it, and b.test.ts; c/b.test.ts")';
    expect(unknownTests([{ path: "test/x.ts", text }], ["test/a/b.test.ts"])).toEqual([
      "test/x.ts: c/b.test.ts",
    ]);
  });

  test("notices a file of code that a comment names and that is not there", () => {
    const paths = ["src/a/there.ts", "src/b/c/deep.tsx", "migrations/sqlite/0001_x.sql"];
    const text =
      "// See there.ts, `c/deep.tsx`, a/gone.ts.\n/** By `re.ts`; 0001_x.sql. */\nconst x = 'none.ts';\n";
    expect(unknownFiles([{ path: "src/x.ts", text }], paths)).toEqual([
      "src/x.ts: a/gone.ts",
      "src/x.ts: re.ts",
    ]);
  });
});
