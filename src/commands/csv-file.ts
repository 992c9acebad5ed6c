import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { parse, type CsvError } from "csv-parse";

/** A row of a CSV file, or what is wrong with it. `line` is where it starts, from 1; cells may span lines. */
export type CsvRow = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly problem: string }
);

/** More in one row is a quote that was never closed. */
const ROW_BYTES_MAX = 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without a byte order mark, any kind of line end) row by row, in little memory. Blank rows
 * are passed over. A row that cannot be read does not stop those behind it, as far as the quotes tell where it ends.
 * @throws the system's error when the file cannot be read
 */
export async function* csvRows(path: string, onBytes: (bytes: number) => void): AsyncGenerator<CsvRow> {
  const problems: CsvRow[] = [];
  let line = 1;
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    max_record_size: ROW_BYTES_MAX,
    on_skip: (error) => {
      problems.push({ line, problem: problemOf(error) });
    },
  });
  const source = Readable.from(unixLines(createReadStream(path), onBytes));
  source.on("error", (error) => parser.destroy(error));
  for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
    yield* problems.splice(0);
    const breaks = record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
    if (record.some((cell) => cell.trim() !== "")) yield { line: info.lines - breaks, cells: record };
    line = info.lines + 1;
  }
  yield* problems;
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

/** Every line end as one LF: the parser counts a CRLF inside quotes as two. */
async function* unixLines(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let afterCr = false;
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    if (!afterCr && !chunk.includes(CR)) {
      yield chunk;
      continue;
    }
    let end = 0;
    for (const byte of chunk) {
      if (!(byte === LF && afterCr)) chunk[end++] = byte === CR ? LF : byte;
      afterCr = byte === CR;
    }
    yield chunk.subarray(0, end);
  }
}

function problemOf(error: CsvError | undefined): string {
  if (error?.code === "CSV_QUOTE_NOT_CLOSED" || error?.code === "CSV_MAX_RECORD_SIZE") {
    return "a quote opens here and is never closed: nothing behind it could be read";
  }
  return "the row is not written as CSV: put cells with commas or quotes in double quotes, and double the quotes inside";
}
