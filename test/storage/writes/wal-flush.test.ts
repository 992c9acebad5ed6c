/** What a flush of the log does with the answers of a disk. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { walFlush } from "#storage/sqlite/engine/writes/wal-flush.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";

let home: ReturnType<typeof temporaryDirectory>;
let log: ReturnType<typeof walFlush>;
beforeEach(() => {
  home = temporaryDirectory();
  for (const name of ["flushed.db", "flushed.db-wal"]) fs.writeFileSync(`${home.path}/${name}`, "");
  log = walFlush(`${home.path}/flushed.db`);
});
afterEach(() => {
  log.close();
  home.remove();
});

/** Flushes on a disk that answers with these codes first, and then does it. Returns what came, and how often it was asked. */
async function flushed(...codes: readonly string[]): Promise<[unknown, number]> {
  const left = [...codes];
  const real = fs.fdatasync;
  const spy = spyOn(fs, "fdatasync").mockImplementation(((file, done) => {
    const code = left.shift();
    if (code === undefined) real(file, done);
    else queueMicrotask(() => done(Object.assign(new Error(`${code}: fdatasync`), { code })));
  }) as typeof real);
  try {
    const came = await log.flush().then(
      () => "done",
      (error: unknown) => error,
    );
    return [came, spy.mock.calls.length];
  } finally {
    spy.mockRestore();
  }
}

describe("a flush of the log", () => {
  test("that a signal interrupted is done again", async () => {
    expect(await flushed("EINTR", "EINTR")).toEqual(["done", 3]);
  });

  test("is never done again after an error of the disk, also not after an interruption", async () => {
    expect(await flushed("EIO")).toEqual([expect.objectContaining({ code: "EIO" }), 1]);
    expect(await flushed("EINTR", "ENOSPC")).toEqual([expect.objectContaining({ code: "ENOSPC" }), 2]);
  });

  test("fails on a disk that only ever interrupts", async () => {
    const codes = Array.from({ length: 100 }, () => "EINTR");
    expect(await flushed(...codes)).toEqual([expect.objectContaining({ code: "EINTR" }), 21]);
  });
});
