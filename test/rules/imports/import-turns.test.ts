/** While a file is read, everybody else on the event loop has their turn, whatever the file looks like. */
import { beforeAll, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { csvRows } from "#imports/csv/csv-rows.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { importService } from "#imports/service.ts";

const MB = 1024 * 1024;
const FORMAT = { encoding: "utf-8", delimiter: "," } as const;
const OPTIONS = { ...NO_OPTIONS, status: "PENDING", unknownColumns: "attributes" } as const;

/** How often somebody else had a turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns++;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  await work();
  isOver = true;
  return turns;
}

/** A chunk as large as a file system gives it, or larger. */
async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
const read = (text: string) => Array.fromAsync(csvRows(bytesOf(text), FORMAT, 0));

// A preview writes nothing and asks for no list.
const { preview } = importService({
  clock: systemClock,
  attributes: { list: () => Promise.resolve([]) },
} as unknown as Parameters<typeof importService>[0]);
const previewed = (text: string) =>
  preview("ws", { fileName: "people.csv", beginning: Buffer.from(text).subarray(0, MB) }, OPTIONS, {
    hasRows: true,
    hasTypes: true,
  });
const filled = (head: string, line: string): string => head + line.repeat(MB / line.length);

/** Loading the parser takes turns too. */
beforeAll(() => read("email"));

test("rows that are blank leave the loop to others as well", async () => {
  for (const blank of ["\n", "\r", ",\r\n"])
    expect(await turnsDuring(() => read(`email,name${blank.repeat(10_000)}`))).toBeGreaterThanOrEqual(20);
});

test("rows of thousands of cells leave the loop to others between two rows", async () => {
  const row = `a@example.com${",x".repeat(3_000)}\n`;
  expect(await turnsDuring(() => read(row.repeat(100)))).toBeGreaterThanOrEqual(100);
});

test("a row of a whole MiB leaves the loop to others", async () => {
  expect(await turnsDuring(() => read(`${'a ""b"" '.repeat(130_000)}\n`))).toBeGreaterThan(50);
});

test.each([
  ["blank lines", filled("email,name\n", "\n")],
  ["what Excel writes below the data", filled("email;name;city\nada@example.com;Ada;Bern\n", ";;\r\n")],
  ["ordinary rows", filled("email,name,city,tags,note\n", "ada@example.com,Ada,Bern,a;b,\n")],
])("a preview of a MiB of %s leaves the loop to others", async (_, text) => {
  expect(await turnsDuring(() => previewed(text))).toBeGreaterThan(50);
});

test("a preview of thousands of columns leaves the loop to others between two rows", async () => {
  const headers = Array.from({ length: 5_000 }, (_, i) => `c${i}`).join();
  const text = filled(`email,${headers}\n`, `ada@example.com${",x".repeat(5_000)}\n`);
  expect(await turnsDuring(() => previewed(text))).toBeGreaterThan(150);
});

test("a preview does not look behind a thousand rows, blank ones too", async () => {
  const shown = async (blank: number) =>
    (await previewed(`email\n${"\n".repeat(blank)}ada@example.com\n`)).first?.rows.length;
  expect([await shown(999), await shown(1_000)]).toEqual([1, 0]);
});
