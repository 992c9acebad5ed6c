import { CONTACT_STATUSES, isContactStatus, type ContactStatus } from "#contacts/contact.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import { quoted } from "#core/text/text.ts";
import { DELIMITERS, type Delimiter } from "./csv/delimiter.ts";
import { parseEncoding, type Encoding } from "./csv/encoding.ts";
import { COLUMN_TYPES, type ColumnType } from "#imports/rows/column-type.ts";
import { FIELD_NAMES, parseField, type ImportField } from "#imports/rows/field.ts";
import type { ImportOptionsBody } from "./schema.ts";

/** How a file is to be imported (docs/decisions.md "Many at once"). */
export type ImportOptions = {
  readonly listIds: readonly string[];
  /** For rows without a status of their own. */
  readonly status: ContactStatus | null;
  /** By header; a null field leaves the column out. Null: columns are recognized by their headers. */
  readonly mapping: Readonly<Record<string, ImportField | null>> | null;
  /** What to do with columns that are neither mapped nor recognized. */
  readonly unknownColumns: "ignore" | "attributes";
  /** What to do with contacts that exist already. */
  readonly existing: "update" | "keep";
  /** By header, what the values of columns that become attributes are kept as; others are text. Older imports have none. */
  readonly types?: Readonly<Record<string, ColumnType>>;
  readonly startAutomations: boolean;
  /** Null: found in the file. */
  readonly delimiter: Delimiter | null;
  /** Null: found in the file. */
  readonly encoding: Encoding | null;
};

export const NO_OPTIONS: ImportOptions = {
  listIds: [],
  status: null,
  mapping: null,
  unknownColumns: "ignore",
  existing: "update",
  startAutomations: false,
  delimiter: null,
  encoding: null,
};

const LISTS_MAX = 100;

/** Reads the part `options` of an import. */
export function parseImportOptions(body: ImportOptionsBody): Result<ImportOptions> {
  const listIds = [...new Set(body.listIds ?? [])];
  if (listIds.length > LISTS_MAX)
    return invalid(`\`listIds\` names more than ${LISTS_MAX} lists. Name fewer.`);
  const status = body.status || null;
  if (status !== null && !isContactStatus(status))
    return invalid(`\`status\` must be ${CONTACT_STATUSES.join(", ")}; this is ${quoted(status)}.`);
  const mapping = parseMapping(body.mapping ?? {});
  if (!mapping.ok) return mapping;
  const unknownColumns = body.unknownColumns || NO_OPTIONS.unknownColumns;
  if (unknownColumns !== "ignore" && unknownColumns !== "attributes")
    return invalid("`unknownColumns` must be `ignore` or `attributes`.");
  const existing = body.existing || NO_OPTIONS.existing;
  if (existing !== "update" && existing !== "keep") return invalid("`existing` must be `update` or `keep`.");
  const types = parseTypes(body.types ?? {});
  if (!types.ok) return types;
  const delimiter = parseDelimiter(body.delimiter || null);
  if (!delimiter.ok) return delimiter;
  const encoding = body.encoding ? parseEncoding(body.encoding) : accept(null);
  if (!encoding.ok) return encoding;
  const { startAutomations = false } = body;
  return accept({
    listIds,
    status,
    mapping: mapping.value,
    unknownColumns,
    existing,
    types: types.value,
    startAutomations,
    delimiter: delimiter.value,
    encoding: encoding.value,
  });
}

function parseDelimiter(text: string | null): Result<Delimiter | null> {
  if (text === null) return accept(null);
  const delimiter = DELIMITERS.find((known) => known === text || (known === "\t" && text === "tab"));
  return delimiter === undefined
    ? invalid("`delimiter` must be a comma, a semicolon, a tab or a vertical bar.")
    : accept(delimiter);
}

/** An empty mapping counts as none. */
function parseMapping(given: unknown): Result<ImportOptions["mapping"]> {
  if (!isJsonObject(given)) return invalid("`mapping` must be an object, by header.");
  const mapping = new Map<string, ImportField | null>();
  for (const [header, text] of Object.entries(given)) {
    const field = typeof text === "string" ? parseField(text) : null;
    if (text !== null && field === null)
      return invalid(`\`mapping\`: ${quoted(header)} must become ${FIELD_NAMES}, or null.`);
    mapping.set(header.trim(), field);
  }
  return accept(mapping.size === 0 ? null : Object.fromEntries(mapping));
}

/** What a column's values are kept as. Null: there is no such type. */
export const parseColumnType = (text: unknown): ColumnType | null =>
  COLUMN_TYPES.find((type) => type === text) ?? null;

function parseTypes(given: unknown): Result<Readonly<Record<string, ColumnType>>> {
  if (!isJsonObject(given)) return invalid("`types` must be an object, by header.");
  const types = new Map<string, ColumnType>();
  for (const [header, text] of Object.entries(given)) {
    const type = parseColumnType(text);
    if (type === null)
      return invalid(`\`types\`: ${quoted(header)} must be one of ${COLUMN_TYPES.join(", ")}.`);
    types.set(header.trim(), type);
  }
  return accept(Object.fromEntries(types));
}
