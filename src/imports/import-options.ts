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
  const mapping = parseByHeader("mapping", body.mapping ?? {}, readField, `become ${FIELD_NAMES}, or null`);
  if (!mapping.ok) return mapping;
  const unknownColumns = body.unknownColumns || NO_OPTIONS.unknownColumns;
  if (unknownColumns !== "ignore" && unknownColumns !== "attributes")
    return invalid("`unknownColumns` must be `ignore` or `attributes`.");
  const existing = body.existing || NO_OPTIONS.existing;
  if (existing !== "update" && existing !== "keep") return invalid("`existing` must be `update` or `keep`.");
  const types = parseByHeader(
    "types",
    body.types ?? {},
    parseColumnType,
    `be one of ${COLUMN_TYPES.join(", ")}`,
  );
  if (!types.ok) return types;
  const delimiter = parseDelimiter(body.delimiter || null);
  if (!delimiter.ok) return delimiter;
  const encoding = body.encoding ? parseEncoding(body.encoding) : accept(null);
  if (!encoding.ok) return encoding;
  const { startAutomations = false } = body;
  return accept({
    listIds,
    status,
    // An empty one counts as none.
    mapping: Object.keys(mapping.value).length === 0 ? null : mapping.value,
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

const readField = (text: unknown): ImportField | null | undefined =>
  text === null ? null : ((typeof text === "string" ? parseField(text) : null) ?? undefined);

/** What a column's values are kept as. Undefined: there is no such type. */
export const parseColumnType = (text: unknown): ColumnType | undefined =>
  COLUMN_TYPES.find((type) => type === text);

/**
 * Reads an option that is about columns.
 * @param read undefined: it is no such value
 * @param must what it must be or become, in words
 */
function parseByHeader<T>(
  option: string,
  given: unknown,
  read: (value: unknown) => T | undefined,
  must: string,
): Result<Readonly<Record<string, T>>> {
  if (!isJsonObject(given)) return invalid(`\`${option}\` must be an object, by header.`);
  const found = new Map<string, T>();
  for (const [header, value] of Object.entries(given)) {
    const meant = read(value);
    if (meant === undefined) return invalid(`\`${option}\`: ${quoted(header)} must ${must}.`);
    found.set(header.trim(), meant);
  }
  return accept(Object.fromEntries(found));
}
