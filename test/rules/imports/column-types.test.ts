/** docs/contract.md "Many at once": what the values of a column are kept as. */
import { describe, expect, spyOn, test } from "bun:test";
import { typedCell, type ColumnType } from "#imports/rows/column-type.ts";
import { typeFinder } from "#imports/rows/type-finder.ts";

/** Cells, and the value as each type; null: it is none. */
type Table = readonly (readonly [cell: string, value: string | number | boolean | null])[];

const NUMBERS: Table = [
  ["0", 0],
  ["7", 7],
  ["-7", -7],
  ["−7", -7],
  ["-0", 0],
  [" 1234 ", 1234],
  ["1 234", 1234],
  ["1\u00A0234", 1234],
  ["1\u202F234\u202F567", 1_234_567],
  ["1'234", 1234],
  ["1’234", 1234],
  ["999999999999999", 999_999_999_999_999],
  ["1234567890123456", null],
  ["€7", 7],
  ["€ 7", 7],
  ["-€7", -7],
  ["7 €", 7],
  ["7 EUR", 7],
  ["CHF 7", 7],
  ["-€ 7", -7],
  ["€ -7", -7],
  ["CHF-7", -7],
  ["-€-7", null],
  ["- 7", null],
  ["R$ 7", 7],
  ["-US$7", -7],
  ["7 zł", 7],
  ["7 Kč", 7],
  ["7\u00A0kr.", 7],
  ["7 Ft", 7],
  ["7 лв.", 7],
  ["Fr. 7", 7],
  ["Rs. 7", 7],
  ["Kr 7", null],
  ["ABC 7", null],
  ["7 pieces", null],
  ["7%", null],
  ["007", null],
  ["01099", null],
  ["+49", null],
  ["1 23", null],
  ["1 2345", null],
  ["1 234'567", null],
  ["1e5", null],
  ["Infinity", null],
  ["0x1F", null],
  ["", null],
  ["-", null],
  ["n/a", null],
];
const POINT: Table = [
  ["1234.5", 1234.5],
  ["1,234.50", 1234.5],
  ["1,234,567.5", 1_234_567.5],
  ["1'234.50", 1234.5],
  ["$1,234.50", 1234.5],
  ["-0.5", -0.5],
  ["1.234", 1.234],
  ["1,234", 1234],
  ["1,5", null],
  ["1.234,50", null],
  // India: lakh and crore
  ["1,23,456", 123_456],
  ["₹12,34,56,789.50", 123_456_789.5],
  ["1,23", null],
  ["1,23,45", null],
  ["1,23,456,789", null],
  ["123,45,678", null],
  ["1.", null],
  [".5", null],
  ["1.2.3", null],
];
const COMMA: Table = [
  ["1234,5", 1234.5],
  ["1.234,50", 1234.5],
  ["1.234.567,5", 1_234_567.5],
  ["1 234,50 zł", 1234.5],
  ["1 234,50 PLN", 1234.5],
  ["12,50 €", 12.5],
  ["-0,5", -0.5],
  ["1.234", 1234],
  ["1,234", 1.234],
  ["1.23.456", null],
  ["1.5", null],
  ["1,234.50", null],
];
const YES_OR_NO: Table = [
  ["yes", true],
  ["Ja", true],
  ["TRUE", true],
  ["WAHR", true],
  ["1", true],
  ["✔️", true],
  ["no", false],
  ["Nein", false],
  ["false", false],
  ["0", false],
  ["maybe", null],
  ["2", null],
];
const ISO: Table = [
  ["1980-03-12", "1980-03-12"],
  ["1980/3/12", "1980-03-12"],
  ["1980.03.12", "1980-03-12"],
  ["2000-02-29", "2000-02-29"],
  ["1980-03-12 00:00:00", "1980-03-12"],
  ["1980-03-12T00:00", "1980-03-12"],
  ["1980-03-12 00:00:00.000000", "1980-03-12"],
  ["1980-03-12 09:30", "1980-03-12T09:30:00.000Z"],
  ["1980-03-12T09:30:00Z", "1980-03-12T09:30:00.000Z"],
  ["1980-03-12T00:30:00+01:00", "1980-03-11T23:30:00.000Z"],
  ["1980-03-12 9:30 PM", "1980-03-12T21:30:00.000Z"],
  // PostgreSQL
  ["1980-03-12 09:30:00.123456+00", "1980-03-12T09:30:00.123Z"],
  ["1980-03-12 09:30:00-05", "1980-03-12T14:30:00.000Z"],
  // JSON has a date as such a time.
  ["1980-03-12T00:00:00.000Z", "1980-03-12"],
  ["1980-03-12 00:00:00 +0000 UTC", "1980-03-12"],
  ["0001-01-01", "0001-01-01"],
  ["9999-12-31 23:59", "9999-12-31T23:59:00.000Z"],
  // Hungary, Japan
  ["1980. 03. 12.", "1980-03-12"],
  ["1980. 3. 12. 9:30", "1980-03-12T09:30:00.000Z"],
  ["1980/03/12, 09:30:15", "1980-03-12T09:30:15.000Z"],
  ["9999-12-31T23:59:00-05:00", null],
  ["0044-03-15 BC", null],
  ["1980-03/12", null],
  ["1980-02-30", null],
  ["1999-02-29", null],
  ["0000-00-00", null],
  ["12.03.1980", null],
  ["80-03-12", null],
  ["1980-03-12 soon", null],
  ["1980-03-12 25:00", null],
];
const DAY_FIRST: Table = [
  ["12.03.1980", "1980-03-12"],
  ["1.2.1980", "1980-02-01"],
  ["12/03/1980", "1980-03-12"],
  ["12-03-1980", "1980-03-12"],
  ["31.12.2026 14:30", "2026-12-31T14:30:00.000Z"],
  ["31.12.2026, 14:30", "2026-12-31T14:30:00.000Z"],
  ["31.12.2026 00:00:00", "2026-12-31"],
  // Czechia, Croatia, Bulgaria, Finland
  ["31. 12. 2026", "2026-12-31"],
  ["31. 12. 2026 14:30:15", "2026-12-31T14:30:15.000Z"],
  ["31.12.2026.", "2026-12-31"],
  ["31. 12. 2026.", "2026-12-31"],
  ["31.12.2026 г.", "2026-12-31"],
  ["31.12.2026 9.30.15", "2026-12-31T09:30:15.000Z"],
  ["31. 12.2026", null],
  ["12.13.1980", null],
  ["12.03.80", null],
  ["12.03-1980", null],
  ["1980-03-12", null],
];
const MONTH_FIRST: Table = [
  ["03/12/1980", "1980-03-12"],
  ["3/2/1980", "1980-03-02"],
  ["12/31/2026 2:30 PM", "2026-12-31T14:30:00.000Z"],
  // .NET has a date as such a time.
  ["12/31/2026 12:00:00 AM", "2026-12-31"],
  // JavaScript puts a narrow blank before AM.
  ["12/31/2026, 9:12:31\u202FAM", "2026-12-31T09:12:31.000Z"],
  ["12/31/2026 2:30 p.\u00A0m.", "2026-12-31T14:30:00.000Z"],
  ["13/12/1980", null],
  ["03.12.1980", null],
];

describe.each<[ColumnType, Table]>([
  ["number", NUMBERS],
  ["number-comma", NUMBERS],
  ["number", POINT],
  ["number-comma", COMMA],
  ["boolean", YES_OR_NO],
  ["date", ISO],
  ["date-dmy", DAY_FIRST],
  ["date-mdy", MONTH_FIRST],
])("a cell of a column %s", (type, table) => {
  test.each(table)("%j is %p", (cell, value) => {
    expect(typedCell(type, cell)).toBe(value);
  });
});

test("text stays as it is written", () => {
  for (const text of [" 7 ", "", "yes", "12.03.1980"]) expect(typedCell("text", text)).toBe(text);
});

test("a very long cell is no value, and costs no time", () => {
  for (const long of ["1".repeat(1_000_000), `1${" 000".repeat(250_000)}`, "-".repeat(1_000_000)])
    for (const type of ["number", "number-comma", "boolean", "date", "date-dmy", "date-mdy"] as const)
      expect(typedCell(type, long)).toBeNull();
});

describe("what the cells of a column are", () => {
  const typeOf = (...cells: string[]): ColumnType => {
    const finder = typeFinder();
    for (const cell of cells) finder.look(cell);
    return finder.found();
  };
  test.each<[ColumnType, ...string[]]>([
    ["text"],
    ["text", "", " "],
    ["number", "36", "", "41"],
    ["number", "12.5", "7"],
    ["number", "1,234.50", "12"],
    ["number-comma", "1.234,50", "12"],
    ["number-comma", "1.234", "12,5"],
    ["text", "1.234", "12"],
    ["text", "1", "0", "1"],
    ["text", "04103", "10115"],
    ["text", "12", "n/a"],
    ["boolean", "yes", "no", ""],
    // The first rows of a country, a state or a sex may all be the same.
    ["text", "NO", "NO"],
    ["text", "F", "F"],
    // Phone numbers of Spain, Poland and Czechia
    ["text", "601 234 567", "48"],
    ["number", "1 601 234", "48"],
    ["number-comma", "601 234,50", "48"],
    ["date", "1980-03-12", "2026-11-29"],
    ["date-dmy", "12.03.1980", "01.02.1980"],
    ["date-dmy", "03/04/1980", "13/04/1980"],
    ["date-mdy", "03/04/1980", "03/14/1980"],
    ["text", "03/04/1980", "05/06/1980"],
    ["text", "Berlin", "Bern"],
  ])("%s: %p", (type, ...cells) => expect(typeOf(...cells)).toBe(type));

  test("is known from looking at each once: at the end of ten thousand columns nothing is read again", () => {
    const finder = typeFinder();
    for (let n = 0; n < 100; n++) finder.look(`${n}`);
    const exec = spyOn(RegExp.prototype, "exec");
    try {
      expect(finder.found()).toBe("number");
      expect(exec).not.toHaveBeenCalled();
    } finally {
      exec.mockRestore();
    }
  });
});
