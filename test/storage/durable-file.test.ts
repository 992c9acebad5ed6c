import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { failureText } from "#commands/line/failure-text.ts";
import { giveToOwnerOf, replaceFile } from "#storage/sqlite/files/durable-file.ts";
import { planIntents } from "#storage/sqlite/campaigns/plan/plan-intents.ts";
import { lacks } from "../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../support/common/small-disk.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";

const lacksRoot = lacks("root", process.getuid?.() === 0, "run them as root.");
const SERVER = 12_345;

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => (home = temporaryDirectory()));
afterEach(() => home.remove());

test.skipIf(lacksRoot)("what root's command makes for the server belongs to whose the data is", async () => {
  chownSync(home.path, SERVER, SERVER);
  await planIntents(`${home.path}/postrider.db`).keep("cmp_1", { run: 0, overrideQuietHours: false });
  for (const path of ["plans", "plans/cmp_1.json"]) {
    const { uid, gid, mode } = statSync(`${home.path}/${path}`);
    expect([path, uid, gid, mode & 0o077]).toEqual([path, SERVER, SERVER, 0]);
  }
});

test.skipIf(lacksRoot)("but never what a link leads to that somebody put in its place", () => {
  mkdirSync(`${home.path}/data`);
  mkdirSync(`${home.path}/system`);
  chownSync(`${home.path}/data`, SERVER, SERVER);
  symlinkSync(`${home.path}/system`, `${home.path}/data/plans`);
  giveToOwnerOf(`${home.path}/data`, `${home.path}/data/plans`);
  expect(statSync(`${home.path}/system`).uid).toBe(0);
});

test.skipIf(!canMount)("a disk that is full is named with the file that has no room on it", () => {
  expect(mountDisk(home.path, 64)).toBeTrue();
  const path = `${home.path}/run.json`;
  const failed = (text: string): string => {
    try {
      replaceFile(path, text);
      return "it has room";
    } catch (error) {
      return failureText(error);
    }
  };
  try {
    // The first pages fit.
    expect(failed("a".repeat(100_000))).toBe(`${path}: its disk is full`);
    expect([failed("as before"), readFileSync(path, "utf8")]).toEqual(["it has room", "as before"]);
    const file = openSync(`${home.path}/fill`, "w");
    expect(() => writeFileSync(file, "a".repeat(100_000))).toThrow("ENOSPC");
    closeSync(file);
    expect(failed("later")).toBe(`${path}: its disk is full`);
    expect(readFileSync(path, "utf8")).toBe("as before");
    expect(readdirSync(home.path)).toEqual(["fill", "run.json"]);
  } finally {
    unmountDisk(home.path);
  }
});
