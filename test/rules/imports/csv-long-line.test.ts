/** A line that is too long for memory is one error, and the memory it takes is that of a short one. */
import { expect, test } from "bun:test";
import { csvRows, type CsvRow } from "#imports/csv/csv-rows.ts";
import { readHead } from "#imports/file-reading.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";

const PIECE_BYTES = 64 * 1024;
const LONG_BYTES = 200 * 1024 * 1024;
const MB = 1024 * 1024;

/** Bytes of buffers that somebody still holds. Collecting takes seconds where many tests ran before, so it is asked rarely. */
function heldBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().arrayBuffers;
}

test("a line of 200 MB is left out with a message of its own; the rows around it are read", async () => {
  const before = heldBytes();
  let held = Infinity;
  async function* file(): AsyncGenerator<Buffer> {
    yield Buffer.from("email\nada@example.com\n");
    // Each piece is new, so that whoever keeps them all would hold 200 MB.
    for (let n = 0; n < LONG_BYTES / PIECE_BYTES; n++) yield Buffer.alloc(PIECE_BYTES, "x");
    held = heldBytes() - before;
    yield Buffer.from("\ngrace@example.com\n");
  }
  const head = await readHead(file, NO_OPTIONS);
  if (!head.ok) throw new Error(head.refusal.message);
  const { format, header, headerLines } = head.value;
  const rows: CsvRow[] = await Array.fromAsync(csvRows(file(), format, headerLines));
  expect(header).toEqual(["email"]);
  expect(rows).toEqual([
    { line: 2, endLine: 2, cells: ["ada@example.com"] },
    { line: 3, endLine: 3, problem: "the line is longer than 1 MiB: it was left out", rows: 1 },
    { line: 4, endLine: 4, cells: ["grace@example.com"] },
  ]);
  expect(held).toBeLessThan(8 * MB);
});
