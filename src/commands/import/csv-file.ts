import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { parse, type CsvError } from "csv-parse";
import { boundedLines, inUtf8, LONG_LINE, ROW_BYTES_MAX, unixLines } from "./csv-bytes.ts";

/**
 * A row of a CSV file, or what is wrong with it. `line` is the line where it starts, counted from 1. Cells
 * may span lines.
 */
export type CsvRow = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly problem: string }
);

/**
 * Reads a CSV file row by row, using little memory (RFC 4180; UTF-8 with or without a byte order mark, or
 * UTF-16 with one; any kind of line end). Skips blank rows. If a row cannot be read, the rows after it still
 * are, as long as the quotes show where it ends.
 * @throws the system's error if the file cannot be read, UsageError if it has another encoding
 */
export async function* csvRows(path: string, onBytes: (bytes: number) => void): AsyncGenerator<CsvRow> {
  const problems: CsvRow[] = [];
  let line = 1;
  let isLost = false;
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    max_record_size: ROW_BYTES_MAX,
    on_skip: (error) => {
      if (!isLost) problems.push({ line, problem: problemOf(error) });
      isLost ||= isUnclosed(error);
    },
  });
  // After a quote that is never closed, the parser would report an error for every chunk.
  const source = Readable.from(until(boundedLines(unixLines(bytesOf(path, onBytes))), () => isLost));
  source.on("error", (error) => parser.destroy(error));
  for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
    yield* problems.splice(0);
    const breaks = record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
    const starts = info.lines - breaks;
    if (record.some((cell) => cell.includes(LONG_LINE))) yield { line: starts, problem: TOO_LONG };
    else if (record.some((cell) => cell.trim() !== "")) yield { line: starts, cells: record };
    line = info.lines + 1;
  }
  yield* problems;
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

async function* bytesOf(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      yield chunk;
    }
  };
  yield* inUtf8(path, counted());
}

async function* until<T>(items: AsyncIterable<T>, isOver: () => boolean): AsyncGenerator<T> {
  for await (const item of items) {
    if (isOver()) return;
    yield item;
  }
}

const TOO_LONG = `the line is longer than ${ROW_BYTES_MAX / 1024 / 1024} MiB: it was left out`;

const isUnclosed = (error: CsvError | undefined): boolean =>
  error?.code === "CSV_QUOTE_NOT_CLOSED" || error?.code === "CSV_MAX_RECORD_SIZE";

const problemOf = (error: CsvError | undefined): string =>
  isUnclosed(error)
    ? "a quote opens here and is never closed: nothing behind it could be read"
    : "the row is not written as CSV: put cells with commas or quotes in double quotes, and double the quotes inside";
