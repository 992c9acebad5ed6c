import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { HOUR_MS } from "#core/time/time.ts";
import { backUpDatabase, clearLeftParts } from "#storage/sqlite/files/backup.ts";
import { giveFreeName } from "#storage/sqlite/files/durable-file.ts";
import type { BackupOrder } from "#storage/sqlite/upkeep/backup-thread.ts";
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

/** A backup whose copy is written, and called whole, when the test says so. */
function backingUp(path: string, target: string, ownPart: string) {
  let part = "";
  const thread = Object.assign(new EventTarget(), {
    postMessage: (order: BackupOrder) => void (part = order.part),
    terminate: () => undefined,
  });
  const work = { thread: thread as unknown as Worker, clock: manualClock(), onProgress: () => undefined };
  const said = backUpDatabase(path, target, { ...work, ownPart }).then(
    () => "checked",
    (error: Error) => error.message,
  );
  return {
    said,
    write: (text: string) => writeFileSync(part, text),
    end: () => thread.dispatchEvent(new MessageEvent("message", { data: { contacts: 1, damage: null } })),
  };
}

test("two copies to one target at once: the first that is whole is there, and the other takes nothing's place", async () => {
  const [path, target] = [`${home.path}/postrider.db`, `${home.path}/copy.db`];
  writeFileSync(path, "SQLite format 3");
  const first = backingUp(path, target, `${target}.1.part`);
  first.write("whole");
  const second = backingUp(path, target, `${target}.2.part`);
  second.write("half");
  first.end();
  expect([await first.said, readFileSync(target, "utf8")]).toEqual(["checked", "whole"]);
  second.end();
  expect([await second.said, readFileSync(target, "utf8")]).toEqual([
    expect.stringContaining("is there already"),
    "whole",
  ]);
  expect(readdirSync(home.path).toSorted()).toEqual(["copy.db", "postrider.db"]);
});

test("a finished file takes nobody's place", () => {
  const [part, path] = [`${home.path}/a.part`, `${home.path}/a`];
  writeFileSync(part, "new");
  writeFileSync(path, "old");
  expect(() => giveFreeName(part, path)).toThrow("is there already");
  expect([readFileSync(part, "utf8"), readFileSync(path, "utf8")]).toEqual(["new", "old"]);
  rmSync(path);
  giveFreeName(part, path);
  expect([readdirSync(home.path), readFileSync(path, "utf8")]).toEqual([["a"], "new"]);
});

test("what killed processes left of copies to a target is taken away, and what living ones make is not", () => {
  // No system gives out such a number.
  const dead = 2 ** 30;
  const kept = [
    `copy.db.postrider-${process.pid}.part`,
    "copy.db.part",
    "other.part",
    `other.db.${dead}.part`,
  ];
  for (const name of [...kept, `copy.db.postrider-${dead}.part`, `copy.db.postrider-${dead}.part-journal`])
    writeFileSync(`${home.path}/${name}`, "");
  // What cannot be removed stops no copy.
  const directory = `copy.db.postrider-${dead + 1}.part`;
  mkdirSync(`${home.path}/${directory}`);
  clearLeftParts(`${home.path}/copy.db`, Date.now());
  expect(readdirSync(home.path).toSorted()).toEqual([...kept, directory].toSorted());
});

test("what a killed process left of a copy to another name is taken away once it has been still for hours", () => {
  const dead = 2 ** 30;
  const left = [`2026-01-05.db.postrider-${dead}.part`, `2026-01-05.db.postrider-${dead}.part-journal`];
  const kept = [
    `2026-01-05.db.${dead}.part`,
    `2026-01-05.db.postrider-${process.pid}.part`,
    `film.mp4.${dead}.part`,
  ];
  const linked = `2026-01-06.db.postrider-${dead}.part`;
  for (const name of [...left, ...kept]) writeFileSync(`${home.path}/${name}`, "");
  symlinkSync(`${home.path}/${kept[0]}`, `${home.path}/${linked}`);
  const hoursLater = (hours: number): string[] => {
    clearLeftParts(`${home.path}/2026-01-07.db`, Date.now() + hours * HOUR_MS);
    return readdirSync(home.path).toSorted();
  };
  // It may be the process of another container, which is at work.
  expect(hoursLater(11)).toEqual([...left, ...kept, linked].toSorted());
  expect(hoursLater(13)).toEqual([...kept, linked].toSorted());
});
