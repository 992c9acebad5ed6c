import type { ImportPreview } from "../../api/api.gen.ts";

/** The rows of a CSV file as they stand in it. The server reads it by itself; here it is only counted and quoted. */

export type FileFormat = Pick<ImportPreview, "encoding" | "delimiter">;

/** A row, with the line on which it begins, from 1. */
type FileRow = { readonly line: number; readonly text: string };

/** A row without anything in its cells is none. */
const BLANK = /^[\s,;|"]*$/;
const SEPARATOR_LINE = /^sep=[,;\t|]$/i;

/** A quote that is never closed takes the rest of the file into its row: no more of it is kept than this. */
const ROW_CHARACTERS_MAX = 1024 * 1024;

/** How many rows there are below the one that names the columns. */
export async function countRows(file: Blob, format: FileFormat, signal: AbortSignal): Promise<number> {
  let rows = 0;
  for await (const some of rowsOf(file, format)) {
    signal.throwIfAborted();
    rows += some.length;
  }
  return Math.max(0, rows - 1);
}

/**
 * The rows that begin on these lines, as they stand in the file, each behind what is said of it; above them the names of
 * the columns.
 * @returns null where a line begins no row: it is another file
 */
export async function rowsWithReasons(
  file: Blob,
  format: FileFormat,
  head: string,
  reasons: ReadonlyMap<number, string>,
): Promise<string | null> {
  const wanted = new Map(reasons);
  const lines: string[] = [];
  for await (const some of rowsOf(file, format))
    for (const { line, text } of some) {
      const reason = lines.length === 0 ? head : wanted.get(line);
      if (reason === undefined) continue;
      wanted.delete(line);
      lines.push(`${quoted(reason)}${format.delimiter}${isOpenAtEnd(text, format) ? quoted(text) : text}`);
    }
  return wanted.size > 0 ? null : [...lines, ""].join("\r\n");
}

/** A cell that no spreadsheet runs as a formula. */
export const quoted = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

async function* rowsOf(file: Blob, format: FileFormat): AsyncGenerator<FileRow[]> {
  let line = 0;
  let open: FileRow | null = null;
  for await (const lines of linesOf(file, format.encoding)) {
    const rows: FileRow[] = [];
    for (const each of lines) {
      line++;
      const isInside: boolean = open !== null;
      const row: FileRow = open === null ? { line, text: each } : longer(open, each);
      open = staysOpen(each, isInside, format.delimiter) ? row : null;
      const isNone = BLANK.test(row.text) || (line === 1 && SEPARATOR_LINE.test(each));
      if (open === null && !isNone) rows.push(row);
    }
    yield rows;
  }
  if (open !== null) yield [open];
}

const longer = ({ line, text }: FileRow, more: string): FileRow => ({
  line,
  text: text.length > ROW_CHARACTERS_MAX ? text : `${text}\n${more}`,
});

const isOpenAtEnd = (text: string, { delimiter }: FileFormat): boolean => staysOpen(text, false, delimiter);

/** Whether a quote is open behind a line. It opens a cell or is none. */
function staysOpen(line: string, wasOpen: boolean, delimiter: string): boolean {
  if (!line.includes('"')) return wasOpen;
  let isOpen = wasOpen;
  let isAtStart = !wasOpen;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isOpen && character === '"' && line[at + 1] === '"') at++;
    else if (character === '"' && (isOpen || isAtStart)) isOpen = !isOpen;
    isAtStart = !isOpen && (character === delimiter || character === "\n");
  }
  return isOpen;
}

/** The lines of a file in pieces, whatever ends them. */
async function* linesOf(file: Blob, encoding: FileFormat["encoding"]): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const text = rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }));
    // What follows a CR may be the LF that belongs to it.
    const isCut = !done && text.endsWith("\r");
    const lines = (isCut ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
    rest = done ? "" : `${lines.pop() ?? ""}${isCut ? "\r" : ""}`;
    yield lines;
    if (done) return;
  }
}
