import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quotedSome } from "#core/text/text.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import { suggestColumns, type ImportColumns } from "./columns.ts";
import { fieldText, isWhoLeft, parseField } from "./field.ts";

/**
 * The columns of a file that can be imported. Refused: no names of columns, no column for the address, two for
 * one field, a mapping or types that name a column that the file does not have, types for columns that become no attribute, or
 * no status for these people.
 */
export function planColumns(names: readonly string[], options: ImportOptions): Result<ImportColumns> {
  const columns = suggestColumns(names, options);
  const problem =
    personInsteadOfNames(names) ??
    missingColumns(columns, options) ??
    typesOfNoAttribute(columns) ??
    columnThatIsTwice(names, columns, options) ??
    noAddress(columns) ??
    noStatus(columns, options);
  return problem === null ? accept(columns) : invalid(problem);
}

// What is wrong with the columns, in words. Null: nothing.

const personInsteadOfNames = (names: readonly string[]): string | null =>
  names.some((name) => isPerson(name.trim()))
    ? "The first row is a person. It has to name the columns, such as email and name: put such a row on top."
    : null;

const TYPED_ADDRESS_MAX = 320;

/** Not the name of a column: the first row is a person, who would be lost. */
export const isPerson = (header: string): boolean =>
  header.length <= TYPED_ADDRESS_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(header);

function missingColumns({ headers, types }: ImportColumns, { mapping }: ImportOptions): string | null {
  // A mapping may name a hundred thousand columns: it is never searched by walking through it.
  const known = new Set(headers);
  const missingIn = (named: object): string[] => Object.keys(named).filter((header) => !known.has(header));
  const [unmapped, untyped] = [missingIn(mapping ?? {}), missingIn(types)];
  if (unmapped.length > 0)
    return `The mapping names the columns ${quotedSome(unmapped)}, which are not there. There are ${quotedSome(headers)}.`;
  return untyped.length > 0
    ? `The types name the columns ${quotedSome(untyped)}, which are not there. There are ${quotedSome(headers)}.`
    : null;
}

/** A time of consent may have one of the dates: it says in which order day and month stand. */
function typesOfNoAttribute({ headers, fields, types }: ImportColumns): string | null {
  const kinds = new Map(headers.map((header, place) => [header, fields[place]?.kind]));
  const typeless = Object.entries(types).flatMap(([header, type]) => {
    const kind = kinds.get(header);
    const isTime = kind === "consentAt" || kind === "confirmedAt";
    return kind === "attribute" || (isTime && type.startsWith("date")) ? [] : [header];
  });
  return typeless.length === 0
    ? null
    : `The types name the columns ${quotedSome(typeless)}, which become no attribute and no time of consent: say with \`mapping\` (--map) or \`unknownColumns\` (--unknown-columns) that they do, or name no type.`;
}

function columnThatIsTwice(
  names: readonly string[],
  { headers }: ImportColumns,
  { mapping }: ImportOptions,
): string | null {
  const mapped = Object.values(mapping ?? {}).flatMap((field) =>
    field === null || isWhoLeft(field.kind) ? [] : [fieldText(field)],
  );
  const twice = firstRepeated(mapped) ?? repeatedHeader(names, headers, mapping);
  return twice === undefined ? null : `The column ${twice} is there twice: leave one out.`;
}

function firstRepeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) return text;
    seen.add(text);
  }
  return undefined;
}

/**
 * A header that stands twice and means a field: which of the two counts is not for us to guess, but a mapping can say
 * it of each.
 */
function repeatedHeader(
  names: readonly string[],
  headers: readonly string[],
  mapping: ImportOptions["mapping"],
): string | undefined {
  const mapped = mapping ?? {};
  const place = headers.findIndex((header, i) => {
    const name = names[i]?.trim() ?? "";
    const isMapped = Object.hasOwn(mapped, header) && Object.hasOwn(mapped, name);
    return header !== name && parseField(name) !== null && !isMapped;
  });
  return names[place]?.trim();
}

function noAddress(columns: ImportColumns): string | null {
  if (has(columns, "email")) return null;
  const { headers } = columns;
  if (headers.length === 1 && /[,;\t|]/.test(headers[0] ?? ""))
    return `The first row is a single cell with all names in it, ${quotedSome(headers)}: a spreadsheet has opened the file with another sign between cells. Split the column (in Excel: Data, Text to Columns), or export the file again.`;
  return `The first row has no column email. It has ${quotedSome(headers)}: say with \`mapping\` (--map) which one holds the addresses.`;
}

function noStatus(columns: ImportColumns, { status }: ImportOptions): string | null {
  const { standing } = columns;
  const isSaid = has(columns, "status") || standing.some(({ isForAll }) => isForAll);
  if (isSaid || status !== null) return null;
  return standing.some(({ saysWhoAgreed }) => saysWhoAgreed !== true)
    ? "The file says who left, but not what the others are: say it with `status` (--status), SUBSCRIBED if they agreed to marketing mail."
    : "The file has no status column: say with `status` (--status) what these people are, SUBSCRIBED if they agreed to marketing mail.";
}

const has = ({ fields }: ImportColumns, kind: "email" | "status"): boolean =>
  fields.some((field) => field?.kind === kind);
