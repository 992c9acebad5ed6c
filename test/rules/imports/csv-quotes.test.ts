/** A quote that is never closed is told at its own row, and the rows before it are read. */
import { expect, test } from "bun:test";
import { csvRows } from "#imports/csv/csv-rows.ts";
import { readHead } from "#imports/file-reading.ts";

const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };

test("rows before a quote that is never closed are read, and the quote is told at the line where it opens", async () => {
  const file = bytesOf(
    'email,name\nada@example.com,Ada\n\ngrace@example.com,"Grace\nalan@example.com,Alan\n',
  );
  const head = await readHead(file, null);
  if (!head.ok) throw new Error(head.refusal.message);
  const { format, header, headerLines } = head.value;
  expect([header, headerLines]).toEqual([["email", "name"], 1]);
  expect(await Array.fromAsync(csvRows(file(), format, headerLines))).toEqual([
    { line: 2, endLine: 2, cells: ["ada@example.com", "Ada"] },
    expect.objectContaining({ line: 4, problem: expect.stringContaining("a quote opens here") }),
  ]);
});

test("a quote that opens in the first row and is never closed refuses the file", async () => {
  const head = await readHead(bytesOf('email,"name\nada@example.com,Ada\n'), null);
  expect(head).toMatchObject({ ok: false, refusal: { message: expect.stringContaining("The first row") } });
});

test("the lines of a file are counted, whatever ends them", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const head = await readHead(
      bytesOf(["email", "ada@example.com", "grace@example.com", ""].join(end)),
      null,
    );
    expect(head).toMatchObject({ ok: true, value: { lines: 3 } });
  }
});
