/**
 * What is done to the bytes of a CSV file before its cells are read. The memory it needs does not depend on
 * the file.
 */
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Encoding } from "./encoding.ts";

/**
 * The limit for one line, and for one row with all its lines. A longer row means a quote that was never
 * closed.
 */
export const ROW_BYTES_MAX = 1024 * 1024;

/** A line of more cells would be parsed for too long at once. */
export const CELLS_MAX = 10_000;

/** Replaces a line that is too long to keep. A row with this text in a cell could not be read. */
export const LONG_LINE = "\0long line\0";
/** Replaces a line that has too many cells. */
export const WIDE_LINE = "\0wide line\0";

const LF = 0x0a;
const CR = 0x0d;

/** The parser reads a piece in one go. It is slow where a row has more or fewer cells than the first, as a blank one has. */
const PIECE_BYTES = 16 * 1024;
const PIECE_LINES = 500;

/** The same bytes in small pieces, with a turn of the event loop behind each. */
export async function* smallPieces(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let rest = chunk; rest.length > 0;) {
      const piece = startOf(rest.subarray(0, PIECE_BYTES));
      rest = rest.subarray(piece.length);
      yield piece;
      await nextLoopTurn();
    }
}

function startOf(bytes: Buffer): Buffer {
  let end = 0;
  for (let line = 0; line < PIECE_LINES; line++) {
    end = bytes.indexOf(LF, end) + 1;
    if (end === 0) return bytes;
  }
  return bytes.subarray(0, end);
}

/** Some programs write it before letters in another encoding. Then it would belong to the name of the first column. */
const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Converts to UTF-8. */
export async function* inUtf8(encoding: Encoding, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (encoding === "utf-8") return yield* chunks;
  const decoder = new TextDecoder(encoding);
  let isStart = true;
  for await (const chunk of chunks) {
    const isMarked = isStart && chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
    isStart = false;
    const bytes = isMarked ? chunk.subarray(UTF8_MARK.length) : chunk;
    yield Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  yield Buffer.from(decoder.decode());
}

/** Replaces every line end by one LF, because the parser counts a CRLF inside quotes as two lines. */
export async function* unixLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let afterCr = false;
  for await (const chunk of chunks) {
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

/** Passes on whole lines, and `LONG_LINE` or `WIDE_LINE` instead of one that cannot be read. */
export async function* boundedLines(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<Buffer> {
  let start: Buffer[] = [];
  let startBytes = 0;
  const add = (part: Buffer): void => {
    startBytes += part.length;
    if (startBytes <= ROW_BYTES_MAX) start.push(part);
    else start = [];
  };
  const line = (): Buffer => {
    if (startBytes > ROW_BYTES_MAX) return Buffer.from(LONG_LINE);
    const whole = Buffer.concat(start);
    return whole.length > CELLS_MAX && isWide(whole, delimiter) ? Buffer.from(WIDE_LINE) : whole;
  };
  for await (const chunk of chunks) {
    const first = chunk.indexOf(LF);
    if (first === -1) {
      add(chunk);
      continue;
    }
    const last = chunk.lastIndexOf(LF);
    add(chunk.subarray(0, first));
    yield Buffer.concat([line(), chunk.subarray(first, last + 1)]);
    [start, startBytes] = [[], 0];
    add(chunk.subarray(last + 1));
  }
  yield line();
}

/** Ignores quotes: no contact has a single cell with that many delimiters. */
function isWide(line: Buffer, delimiter: string): boolean {
  const byte = delimiter.charCodeAt(0);
  let count = 0;
  for (let at = line.indexOf(byte); at !== -1; at = line.indexOf(byte, at + 1))
    if (++count >= CELLS_MAX) return true;
  return false;
}

/** Leaves out the first lines: those whose rows were kept before. */
export async function* withoutLines(chunks: AsyncIterable<Buffer>, lines: number): AsyncGenerator<Buffer> {
  let left = lines;
  for await (const chunk of chunks) {
    let from = 0;
    for (; left > 0; left--) {
      const end = chunk.indexOf(LF, from);
      if (end === -1) break;
      from = end + 1;
    }
    if (left === 0) yield chunk.subarray(from);
  }
}
