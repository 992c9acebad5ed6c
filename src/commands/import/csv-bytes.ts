/**
 * What is done to the bytes of a CSV file before its cells are read. The memory it needs does not depend on
 * the file.
 */
import { UsageError } from "#commands/line/command.ts";

/**
 * The limit for one line, and for one row with all its lines. A longer row means a quote that was never
 * closed.
 */
export const ROW_BYTES_MAX = 1024 * 1024;

/** Replaces a line that was too long to keep. A row with this text in a cell could not be read. */
export const LONG_LINE = "\0long line\0";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Converts a file with UTF-16's byte order mark to UTF-8, as spreadsheets on Windows write it ("Unicode
 * text"). Passes any other file on unchanged.
 * @throws UsageError if the beginning can only be UTF-16 or UTF-32 without such a mark
 */
export async function* inUtf8(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(path, chunk);
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

function decoderFor(path: string, start: Buffer): TextDecoder | null {
  const [first, second, third, fourth] = start;
  const isWide = third === 0 && fourth === 0;
  if (first === 0xff && second === 0xfe && !isWide) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  if (start.subarray(0, 8).includes(0))
    throw new UsageError(`${path} is not written in UTF-8: save it as CSV in UTF-8`);
  return null;
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

/** Passes on whole lines, and `LONG_LINE` instead of one that is too long. */
export async function* boundedLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer[] = [];
  let startBytes = 0;
  const add = (part: Buffer): void => {
    startBytes += part.length;
    if (startBytes <= ROW_BYTES_MAX) start.push(part);
    else start = [];
  };
  const line = (): Buffer => (startBytes > ROW_BYTES_MAX ? Buffer.from(LONG_LINE) : Buffer.concat(start));
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
