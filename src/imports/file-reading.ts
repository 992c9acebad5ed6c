/** What must be known about a file before its rows are read. */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { inUtf8 } from "./csv/csv-bytes.ts";
import type { CsvFormat } from "./csv/csv-format.ts";
import { csvRows } from "./csv/csv-rows.ts";
import { delimiterOf } from "./csv/delimiter.ts";
import { encodingDetector, type Encoding } from "./csv/encoding.ts";
import { otherFile, otherText, SIGNATURE_BYTES } from "./csv/other-formats.ts";

/** A file, to be read from its beginning as often as needed. */
export type Bytes = () => AsyncIterable<Buffer>;

export type FileHead = {
  readonly format: CsvFormat;
  /** The first row, as it is written. */
  readonly header: readonly string[];
  /** The lines up to its end. */
  readonly headerLines: number;
  /** The lines of the whole file, nearly: in UTF-16 some letters look like the end of one. */
  readonly lines: number;
};

/** What is known of the format before the file is looked at; null: found in the file. */
type ToldFormat = { readonly [Part in keyof CsvFormat]: CsvFormat[Part] | null };

/** The delimiter is searched in this much of the beginning. */
const START_BYTES = 64 * 1024;

/**
 * Looks over a file: whether it is a CSV, its encoding (for which all of it is read once), its delimiter and its header.
 * @throws the system's error if the file cannot be read
 */
export async function readHead(bytes: Bytes, told: ToldFormat): Promise<Result<FileHead>> {
  const detector = encodingDetector();
  const ends = { lf: 0, cr: 0 };
  let signature = Buffer.alloc(0);
  for await (const piece of bytes()) {
    if (signature.length < SIGNATURE_BYTES) {
      signature = Buffer.concat([signature, piece.subarray(0, SIGNATURE_BYTES)]);
      const other = otherFile(signature);
      if (other !== null) return invalid(other);
    }
    detector.look(piece);
    ends.lf += countOf(piece, LF);
    // Files of very old machines end their lines with it, and have no LF at all.
    if (ends.lf === 0) ends.cr += countOf(piece, CR);
  }
  const encoding = told.encoding === null ? detector.found() : accept(told.encoding);
  if (!encoding.ok) return encoding;
  const start = await startOf(bytes, encoding.value);
  const other = otherText(start);
  if (other !== null) return invalid(other);
  const found = delimiterOf(start);
  const format = { encoding: encoding.value, delimiter: told.delimiter ?? found.delimiter };
  for await (const row of csvRows(bytes(), format, found.linesBefore)) {
    if ("problem" in row) return invalid(`The first row must name the columns: ${row.problem}`);
    return accept({ format, header: row.cells, headerLines: row.endLine, lines: ends.lf || ends.cr });
  }
  return invalid("The file is empty: its first row must name the columns.");
}

const LF = 0x0a;
const CR = 0x0d;

function countOf(piece: Buffer, byte: number): number {
  let count = 0;
  for (let at = piece.indexOf(byte); at !== -1; at = piece.indexOf(byte, at + 1)) count++;
  return count;
}

async function startOf(bytes: Bytes, encoding: Encoding): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of inUtf8(encoding, bytes())) {
    pieces.push(piece);
    size += piece.length;
    if (size >= START_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, START_BYTES).toString("utf8");
}
