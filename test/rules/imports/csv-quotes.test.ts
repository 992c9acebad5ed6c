/** A quote that is never closed is told at its own row, and the rows before it are read. */
import { expect, test } from "bun:test";
import { csvRows } from "#imports/csv/csv-rows.ts";
import { readHead } from "#imports/file-reading.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";

const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };

test("rows before a quote that is never closed are read, and the quote is told at the line where it opens", async () => {
  const file = bytesOf(
    'email,name\nada@example.com,Ada\n\ngrace@example.com,"Grace\nalan@example.com,Alan\n',
  );
  const head = await readHead(file, NO_OPTIONS);
  if (!head.ok) throw new Error(head.refusal.message);
  const { format, header, headerLines } = head.value;
  expect([header, headerLines]).toEqual([["email", "name"], 1]);
  expect(await Array.fromAsync(csvRows(file(), format, headerLines))).toEqual([
    { line: 2, endLine: 2, cells: ["ada@example.com", "Ada"] },
    expect.objectContaining({ line: 4, problem: expect.stringContaining("a quote opens here") }),
  ]);
});

test("a quote that opens in the first row and is never closed refuses the file", async () => {
  const head = await readHead(bytesOf('email,"name\nada@example.com,Ada\n'), NO_OPTIONS);
  expect(head).toMatchObject({ ok: false, refusal: { message: expect.stringContaining("The first row") } });
});

test("the lines of a file are counted, whatever ends them", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const head = await readHead(
      bytesOf(["email", "ada@example.com", "grace@example.com", ""].join(end)),
      NO_OPTIONS,
    );
    expect(head).toMatchObject({ ok: true, value: { lines: 3 } });
  }
});

const rowsOf = async (...lines: string[]) =>
  await Array.fromAsync(csvRows(bytesOf(lines.join("\n"))(), { encoding: "utf-8", delimiter: "," }, 0));

test("a stray quote that swallows other lines makes its row fail, and the rows behind are read", async () => {
  const rows = await rowsOf(
    "name,email,status",
    '"Al,q3@x.com,SUBSCRIBED',
    "Bea,q4@x.com,UNSUBSCRIBED",
    'Cy,"q5@x.com",SUBSCRIBED',
    "Di,q6@x.com,SUBSCRIBED",
  );
  expect(rows.slice(1)).toEqual([
    {
      line: 2,
      endLine: 4,
      problem: expect.stringContaining("opens in line 2 and is closed only in line 4"),
      rows: 1,
    },
    { line: 5, endLine: 5, cells: ["Di", "q6@x.com", "SUBSCRIBED"] },
  ]);
});

test("both lines are named where the row begins before the quote and ends behind it", async () => {
  const [row] = await rowsOf('a,"one', 'two","three', '"four" five,"six', 'seven"', "");
  expect(row).toMatchObject({
    line: 1,
    endLine: 4,
    problem: expect.stringMatching(/opens in line 2 and is closed only in line 3,.* lines 1 to 4 /),
  });
});

test("in the first row it refuses the file", async () => {
  const head = await readHead(
    bytesOf('\uFEFF"email\nada@example.com\ngrace@example.com,"Grace"\n'),
    NO_OPTIONS,
  );
  expect(head).toMatchObject({ ok: false, refusal: { message: expect.stringContaining("in line 3") } });
});

test("quotes inside a cell of one line stay as they are written, and doubled ones may stand in any line", async () => {
  const rows = await rowsOf(
    '5" TV,"5" TV","TV"5,""TV',
    '"""Hello"", she',
    'said ""5""","5"" TV"',
    '"","",""""',
    'a,"b"',
  );
  expect(rows).toEqual([
    { line: 1, endLine: 1, cells: ['5" TV', '"5" TV"', '"TV"5', '""TV'] },
    { line: 2, endLine: 3, cells: ['"Hello", she\nsaid "5"', '5" TV'] },
    { line: 4, endLine: 4, cells: ["", "", '"'] },
    { line: 5, endLine: 5, cells: ["a", "b"] },
  ]);
});

test("it is found wherever the bytes of the file are cut", async () => {
  const text = 'a,"one\ntwo ""2"" \n3" three\nb,"x ""\ny"\n';
  for (let cut = 1; cut < text.length; cut++) {
    const bytes = async function* () {
      yield Buffer.from(text.slice(0, cut));
      yield Buffer.from(text.slice(cut));
    };
    const rows = await Array.fromAsync(csvRows(bytes(), { encoding: "utf-8", delimiter: "," }, 0));
    expect(rows).toEqual([
      expect.objectContaining({ line: 1, endLine: 3, problem: expect.stringContaining("in line 3") }),
      { line: 4, endLine: 5, cells: ["b", 'x "\ny'] },
    ]);
  }
});
