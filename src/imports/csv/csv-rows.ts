import { Readable } from "node:stream";
import type { CsvError } from "csv-parse";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import {
  boundedLines,
  CELLS_MAX,
  inUtf8,
  LONG_LINE,
  ROW_BYTES_MAX,
  smallPieces,
  unixLines,
  WIDE_LINE,
  withoutLines,
} from "./csv-bytes.ts";
import type { CsvFormat } from "./csv-format.ts";
import { lineEndsIn, strayQuoteIn, strayQuotes } from "./stray-quotes.ts";

/**
 * A row of a CSV file, or what is wrong with it. Lines are counted from 1; cells may span lines. `line` is where it
 * starts. `endLine` is where it ends, so that a later run can continue there; null after some problems, where only
 * the next row shows it.
 */
export type CsvRow =
  | { readonly line: number; readonly endLine: number; readonly cells: readonly string[] }
  | UnreadRow;

/** `rows`: how many have this problem, one after the other. */
type UnreadRow = {
  readonly line: number;
  readonly endLine: number | null;
  readonly problem: string;
  readonly rows: number;
};

/** So many cells may be read in one turn of the event loop; a blank row has one. */
const CELLS_A_TURN = 2_000;

/** This many problems are reported one by one. Further ones are only counted, until a row can be read again. */
const PROBLEMS_MAX = 1_000;

/**
 * Reads a CSV file row by row, using little memory (RFC 4180; any kind of line end). Skips blank rows. If a
 * row cannot be read, the rows after it still are, as long as the quotes show where it ends.
 * @param linesBefore how many lines are left out: they must end with a row
 * @param recordsMax how many rows are read, blank ones too
 * @throws the system's error if the file cannot be read
 */
export async function* csvRows(
  bytes: AsyncIterable<Buffer>,
  { encoding, delimiter }: CsvFormat,
  linesBefore: number,
  recordsMax = Infinity,
): AsyncGenerator<CsvRow> {
  const problems: Skipped[] = [];
  let line = linesBefore + 1;
  let records = 0;
  let cells = 0;
  let isLost = false;
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    delimiter,
    // `unixLines` has made them so. To detect the line end itself, the parser would make a buffer for every byte.
    record_delimiter: "\n",
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    max_record_size: ROW_BYTES_MAX,
    on_skip: (error) => {
      if (!isLost) addProblem(problems, { after: recordsBefore(error), problem: problemOf(error), rows: 1 });
      isLost ||= isUnclosed(error);
    },
  });
  const lines = boundedLines(unixLines(inUtf8(encoding, bytes)), delimiter);
  const pieces = smallPieces(strayQuotes(withoutLines(lines, linesBefore), delimiter));
  // After a quote that is never closed, the parser would report an error for every piece.
  const source = Readable.from(until(pieces, () => isLost));
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
      if (records === recordsMax) return;
      cells += record.length;
      if (cells >= CELLS_A_TURN) {
        cells = 0;
        await nextLoopTurn();
      }
      yield* unreadRows(problems, records++, line);
      const breaks = record.reduce((sum, cell) => sum + lineEndsIn(cell), 0);
      const endLine = linesBefore + info.lines;
      const starts = endLine - breaks;
      const problem = unreadable(record, starts, endLine);
      if (problem !== null) yield { line: starts, endLine, problem, rows: 1 };
      else if (record.some((cell) => cell.trim() !== "")) yield { line: starts, endLine, cells: record };
      line = endLine + 1;
    }
    yield* unreadRows(problems, Infinity, line);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** What could not be read. The parser is ahead of who takes its rows, so it says behind how many of them this stands. */
type Skipped = Pick<UnreadRow, "problem" | "rows"> & { readonly after: number };

const recordsBefore = (error: CsvError | undefined): number => Number(error?.["records"] ?? 0);

/** Takes out the problems that stand behind so many rows. */
function unreadRows(problems: Skipped[], records: number, line: number): UnreadRow[] {
  const next = problems.findIndex(({ after }) => after > records);
  const ready = problems.splice(0, next === -1 ? problems.length : next);
  return ready.map(({ problem, rows }) => ({ line, endLine: null, problem, rows }));
}

function addProblem(problems: Skipped[], problem: Skipped): void {
  const last = problems.at(-1);
  if (problems.length < PROBLEMS_MAX || last === undefined) problems.push(problem);
  else problems[problems.length - 1] = { ...last, rows: last.rows + 1 };
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

async function* until<T>(items: AsyncIterable<T>, isOver: () => boolean): AsyncGenerator<T> {
  for await (const item of items) {
    if (isOver()) return;
    yield item;
  }
}

/** All that takes the place of something that could not be read begins so, and nothing else nearly ever. */
const isMarked = (cell: string): boolean => cell.includes("\0");

function unreadable(record: readonly string[], line: number, endLine: number): string | null {
  if (!record.some(isMarked)) return null;
  if (record.some((cell) => cell.includes(LONG_LINE))) return TOO_LONG;
  if (record.some((cell) => cell.includes(WIDE_LINE))) return TOO_WIDE;
  return strayQuoteIn(record, line, endLine);
}

const TOO_LONG = `the line is longer than ${ROW_BYTES_MAX / 1024 / 1024} MiB: it was left out`;
const TOO_WIDE = `the line has more than ${CELLS_MAX} cells: it was left out`;

const isUnclosed = (error: CsvError | undefined): boolean =>
  error?.code === "CSV_QUOTE_NOT_CLOSED" || error?.code === "CSV_MAX_RECORD_SIZE";

const problemOf = (error: CsvError | undefined): string =>
  isUnclosed(error)
    ? "a quote opens here and is never closed: nothing behind it could be read"
    : "the row is not written as CSV: put cells with delimiters or quotes in double quotes, and double the quotes inside";
