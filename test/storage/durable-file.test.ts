import { afterEach, beforeEach, expect, test } from "bun:test";
import { chownSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { giveToOwnerOf } from "#storage/sqlite/files/durable-file.ts";
import { planIntents } from "#storage/sqlite/campaigns/plan/plan-intents.ts";
import { lacks } from "../support/common/needs.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";

const lacksRoot = lacks("root", process.getuid?.() === 0, "run them as root.");
const SERVER = 12_345;

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => (home = temporaryDirectory()));
afterEach(() => home.remove());

test.skipIf(lacksRoot)("what root's command makes for the server belongs to whose the data is", () => {
  chownSync(home.path, SERVER, SERVER);
  planIntents(`${home.path}/postrider.db`).keep("cmp_1", { run: 0, overrideQuietHours: false });
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
