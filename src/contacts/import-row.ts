import { accept, invalid, type Result } from "#core/errors.ts";
import { quoted, quotedSome } from "#core/text.ts";
import { CONTACT_STATUSES, isContactStatus, type Contact, type ContactStatus } from "./contact.ts";
import { parseNewContact, type NewContact } from "./contact-input.ts";
import { unguardCell } from "./spreadsheet-cell.ts";

const COLUMNS = ["email", "firstName", "lastName", "tags", "status"] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The position of each known column in a file. `unknown` names the other columns; `width` counts all columns.
 */
export type ImportHeader = {
  readonly at: Readonly<Partial<Record<Column, number>>>;
  readonly unknown: readonly string[];
  readonly width: number;
};

/** A row of an import, treated like a POST. Undefined tags leave the contact's tags as they are. */
export type ImportRow = Omit<NewContact, "tags"> & {
  readonly tags: readonly string[] | undefined;
  readonly status: ContactStatus;
};

/** Reads the header row: columns in any order, names spelled as documented. */
export function parseImportHeader(names: readonly string[]): Result<ImportHeader> {
  const trimmed = names.map((name) => name.trim());
  const at: Partial<Record<Column, number>> = {};
  for (const column of COLUMNS) {
    const found = trimmed.indexOf(column);
    if (found === -1) continue;
    if (trimmed.indexOf(column, found + 1) !== -1) return invalid(`the column ${column} is there twice`);
    at[column] = found;
  }
  if (at.email === undefined) {
    return invalid(
      `the first row has no column email; it has ${quotedSome(trimmed)}. Columns are separated by commas.`,
    );
  }
  return accept({
    at,
    width: names.length,
    unknown: trimmed.filter((name) => name !== "" && !COLUMNS.some((column) => column === name)),
  });
}

/**
 * Reads a status from `--status` or a cell, in any case. Never guesses: a misspelt opt-out must not subscribe
 * anybody.
 */
export function parseImportStatus(text: string): Result<ContactStatus> {
  const status = text.trim().toUpperCase();
  return isContactStatus(status)
    ? accept(status)
    : invalid(`the status ${quoted(text)} is none of ${CONTACT_STATUSES.join(", ")}`);
}

/**
 * Reads one row. `defaultStatus` is used if the status is missing or empty. Without a tags column, tags stay
 * as they are; an empty cell removes all tags, as a POST does. Removes the `'` that an export put before a
 * cell that looked like a formula.
 */
export function parseImportRow(
  header: ImportHeader,
  cells: readonly string[],
  defaultStatus: ContactStatus | undefined,
): Result<ImportRow> {
  const cell = (column: Column): string => unguardCell(cells[header.at[column] ?? -1] ?? "");
  if (cells.slice(header.width).some((text) => text.trim() !== "")) {
    return invalid(
      `the row has ${cells.length} cells for ${header.width} columns: put cells with commas in double quotes`,
    );
  }
  if (cells.some((text) => text.includes("\uFFFD")))
    return invalid("the row is not written in UTF-8: save the file as UTF-8");
  const hasTags = header.at.tags !== undefined;
  const contact = parseNewContact({
    email: cell("email"),
    firstName: cell("firstName"),
    lastName: cell("lastName"),
    tags: hasTags ? cell("tags").split(";") : [],
  });
  if (!contact.ok) return contact;
  const status = cell("status").trim() === "" ? given(defaultStatus) : parseImportStatus(cell("status"));
  if (!status.ok) return status;
  return accept({ ...contact.value, tags: hasTags ? contact.value.tags : undefined, status: status.value });
}

function given(status: ContactStatus | undefined): Result<ContactStatus> {
  return status === undefined
    ? invalid("the row has no status: fill it in or give --status")
    : accept(status);
}

/**
 * What happened to a row. `skipped`: the row would have made the person mailable, but they have opted out or
 * bounced before. They keep that status and join no list. Their names and tags are still updated, as by a
 * POST.
 */
export function importOutcome(
  row: ImportRow,
  written: { contact: Contact; created: boolean },
): "created" | "updated" | "skipped" {
  if (isOut(written.contact.status) && !isOut(row.status)) return "skipped";
  return written.created ? "created" : "updated";
}

const isOut = (status: ContactStatus): boolean => status === "UNSUBSCRIBED" || status === "BOUNCED";
