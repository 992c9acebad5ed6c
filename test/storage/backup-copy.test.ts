import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { backUpDatabase } from "#storage/sqlite/files/backup.ts";
import { manualClock } from "../support/common/manual-clock.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  home = temporaryDirectory();
});
afterEach(() => home.remove());

test("a copy whose file is taken away while it is made fails, and ends nothing else", async () => {
  const clock = manualClock();
  let isEnded = false;
  const thread = Object.assign(new EventTarget(), {
    postMessage: () => undefined,
    terminate: () => void (isEnded = true),
  }) as unknown as Worker;
  const [path, target] = [`${home.path}/postrider.db`, `${home.path}/copy.db`];
  writeFileSync(path, "SQLite format 3");
  const made = backUpDatabase(path, target, { thread, clock, onProgress: () => undefined });
  const said = made.then(String, (error: Error) => error.message);
  rmSync(`${target}.part`);
  expect(() => clock.advance(100)).not.toThrow();
  expect([await said, isEnded, clock.pending]).toEqual([expect.stringContaining("ENOENT"), true, 0]);
});
