import { statSync } from "node:fs";
import type { ContactStatus } from "#contacts/contact.ts";
import { parseImportHeader, parseImportStatus, type ImportHeader } from "#contacts/import-row.ts";
import { UsageError } from "#commands/line/command.ts";
import { csvRows, type CsvRow } from "./csv-file.ts";

/** A file that can be imported. Its header has been read. */
export type ImportSource = {
  readonly header: ImportHeader;
  /** The rows after the header; they can be read only once. */
  readonly rows: AsyncGenerator<CsvRow>;
  /** For rows without a status of their own. */
  readonly status: ContactStatus | undefined;
  /** The share of the file that has been read, 0 to 1. */
  doneShare(): number;
};

/**
 * @throws UsageError before anything is written: the file does not exist, has no usable header, or nothing
 * says which status these people have
 */
export async function openImport(file: string, statusText: string | undefined): Promise<ImportSource> {
  const status = statusText === undefined ? undefined : statusOf(statusText);
  const sizeBytes = sizeOf(file);
  let readBytes = 0;
  const rows = csvRows(file, (bytes) => (readBytes += bytes));
  const header = headerOf(file, await rows.next());
  if (header.at.status === undefined && status === undefined) {
    throw new UsageError(
      `${file} has no status column: say with --status what these people are; SUBSCRIBED if they agreed to marketing mail`,
    );
  }
  return { header, rows, status, doneShare: () => readBytes / sizeBytes };
}

function headerOf(file: string, first: IteratorResult<CsvRow, void>): ImportHeader {
  if (first.done === true) throw new UsageError(`${file} is empty: its first row must name the columns`);
  if ("problem" in first.value)
    throw new UsageError(`${file}: the first row must name the columns: ${first.value.problem}`);
  const header = parseImportHeader(first.value.cells);
  if (!header.ok) throw new UsageError(`${file}: ${header.refusal.message}`);
  return header.value;
}

function statusOf(text: string): ContactStatus {
  const status = parseImportStatus(text);
  if (!status.ok) throw new UsageError(`--status: ${status.refusal.message}`);
  return status.value;
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`there is no file ${file}`);
  if (!found.isFile()) throw new UsageError(`${file} is no file`);
  return found.size;
}
