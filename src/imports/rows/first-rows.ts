import { csvRows } from "#imports/csv/csv-rows.ts";
import type { ImportColumns } from "./columns.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Bytes, FileHead } from "#imports/file-reading.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import type { Result } from "#core/errors/errors.ts";
import { rowParser, type ImportRow } from "./import-row.ts";
import { ROWS_READ_MAX, type PreviewRow, type PreviewRows } from "./preview.ts";

const ROWS_SHOWN = 20;

/**
 * The first rows of a file as an import of these columns would read them. The rules of consent are not applied:
 * somebody who opted out before stays so, whatever the row says.
 */
export async function firstRows(
  bytes: Bytes,
  { format, headerLines }: Pick<FileHead, "format" | "headerLines">,
  columns: Result<ImportColumns>,
  { status, now }: Pick<ImportOptions, "status"> & { readonly now: Instant },
): Promise<PreviewRows> {
  if (!columns.ok) return { refusal: columns.refusal.message, rows: [] };
  const parse = rowParser(columns.value, status, now);
  const rows: PreviewRow[] = [];
  for await (const read of csvRows(bytes(), format, headerLines, ROWS_READ_MAX)) {
    if (rows.length === ROWS_SHOWN) break;
    const { line } = read;
    if ("problem" in read) {
      rows.push({ line, contact: null, message: read.problem });
      continue;
    }
    const parsed = parse(read.cells);
    rows.push(
      parsed.ok
        ? { line, contact: contactOf(parsed.value), message: parsed.value.warning }
        : { line, contact: null, message: parsed.refusal.message },
    );
  }
  return { refusal: null, rows };
}

const contactOf = ({ email, firstName, lastName, tags, status, attributes, consentAt }: ImportRow) => ({
  email,
  firstName: firstName ?? null,
  lastName: lastName ?? null,
  tags: tags ?? null,
  status,
  attributes: attributes ?? {},
  consentAt,
});
