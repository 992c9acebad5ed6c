import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { whoLeftField } from "#contacts/who-left.ts";
import { spelledName, type SpelledName } from "#core/text/spelled-name.ts";
import { quotedSome } from "#core/text/text.ts";
import { attributeNamer } from "./attribute-name.ts";
import type { ColumnType } from "./column-type.ts";
import { fieldText, isWhoLeft, parseField, type ImportField } from "./field.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import { headerNames } from "./header-names.ts";
import { fieldOfTool, isOwnColumn, sourceOf, type Source, type SourceName } from "./sources.ts";
import { standingColumns, type StandingColumn } from "./standing/standing-columns.ts";
import { usualFields } from "./usual-headers.ts";

/** What every column of a file is imported as, in order. Null: not at all. */
export type ImportColumns = {
  readonly headers: readonly string[];
  /** The headers, for tables of names. */
  readonly spelled: readonly SpelledName[];
  readonly fields: readonly (ImportField | null)[];
  /** By header, what the values of attributes are kept as; others are text. */
  readonly types: Readonly<Record<string, ColumnType>>;
  /** The tool that wrote the file, if it was recognized and no mapping says what its people are called. */
  readonly source: Source | null;
  /** Read before a column `status`, also with a mapping. */
  readonly standing: readonly StandingColumn[];
  /** The tool that wrote the file, also with a mapping, if people who left there may look like all others. */
  readonly leaversHiddenBy: SourceName | null;
  /** Columns that are not imported. */
  readonly unknown: readonly string[];
};

/** What a column is imported as. Null: not at all. Undefined: that is not known. */
type Meaning = ImportField | null | undefined;

/**
 * Whether a mapping says what a file's columns are. One that only leaves columns out, or says who left, does not: it makes
 * exceptions, and every other column is what it is without a mapping.
 */
const isWhole = (mapping: ImportOptions["mapping"]): boolean =>
  Object.values(mapping ?? {}).some((field) => field !== null && !isWhoLeft(field.kind));

/** The ways to tell what a column is, in order. If two columns claim one field, the earlier way wins. */
function waysToTell(
  headers: readonly SpelledName[],
  mapping: ImportOptions["mapping"],
  tool: Source | null,
): ((header: SpelledName) => Meaning)[] {
  const isNamed = ({ name }: SpelledName): boolean => mapping !== null && Object.hasOwn(mapping, name);
  const source = isWhole(mapping) ? null : tool;
  const mapped = (header: SpelledName): Meaning => (isNamed(header) ? mapping?.[header.name] : undefined);
  const known = ({ name }: SpelledName): Meaning => {
    const inTool = source === null ? undefined : fieldOfTool(source, name);
    return inTool === undefined ? (parseField(name) ?? undefined) : inTool;
  };
  const whoLeft = (header: SpelledName): Meaning => whoLeftBeside(tool, header);
  // Beside a whole mapping nothing is guessed but who left: besides the mapping only our own names count.
  if (isWhole(mapping)) return [mapped, known, whoLeft];
  return [mapped, known, whoLeft, usualFields(headers.filter((header) => !isNamed(header)))];
}

/**
 * A name that says who left, in a column that the tool does not write itself. A known tool says in columns of
 * its own who gets mail, so an `OPT_IN` beside them counts for nothing: hardly anybody fills in such a field.
 */
function whoLeftBeside(tool: Source | null, header: SpelledName): Meaning {
  if (isOwnColumn(tool, header.name)) return undefined;
  const kind = whoLeftField(header);
  return kind === null || (tool !== null && kind === "optedIn") ? undefined : { kind };
}

/** Null: the file says who left, nobody knows what wrote it, or it is ours, which has the status of each. */
function hiderOfLeavers(tool: Source | null, headers: readonly string[]): SourceName | null {
  if (tool === null || tool.standing.length === 0 || tool.name === "postrider") return null;
  const isTold = tool.standing.some(
    ({ header: named, saysWhoAgreed }) =>
      saysWhoAgreed !== true && headers.some((header) => named.test(header)),
  );
  return isTold && !tool.hidesLeavers ? null : tool.name;
}

/** What would be done with every column, before anything is refused: the suggestion of a preview. */
export function suggestColumns(
  names: readonly string[],
  { mapping, unknownColumns, types = {} }: Pick<ImportOptions, "mapping" | "unknownColumns" | "types">,
): ImportColumns {
  const headers = headerNames(names);
  const spelled = headers.map(spelledName);
  const tool = sourceOf(headers);
  const source = isWhole(mapping) ? null : tool;
  const fields: (ImportField | null)[] = headers.map(() => null);
  const taken = new Set<string>();
  let left = spelled.map((header, place) => ({ header, place }));
  for (const tell of waysToTell(spelled, mapping, tool))
    left = left.filter(({ header, place }) => {
      const field = tell(header);
      const isTaken = field !== null && field !== undefined && taken.has(fieldText(field));
      if (field === undefined || isTaken) return true;
      fields[place] = field;
      if (field !== null && !isWhoLeft(field.kind)) taken.add(fieldText(field));
      return false;
    });
  const isNamed = (header: string): boolean => mapping !== null && Object.hasOwn(mapping, header);
  const standing = standingColumns(tool, spelled, fields, isNamed);
  const leaversHiddenBy = hiderOfLeavers(tool, headers);
  const known = { headers, spelled, fields, types, source, standing, leaversHiddenBy };
  const unknown = left.filter(({ header }) => header.name !== "");
  if (unknownColumns === "ignore") return { ...known, unknown: unknown.map(({ header }) => header.name) };
  const nameOf = attributeNamer([...taken].map((text) => text.replace(/^attributes\./, "")));
  for (const { header, place } of unknown) fields[place] = { kind: "attribute", name: nameOf(header, place) };
  return { ...known, unknown: [] };
}

const TYPED_ADDRESS_MAX = 320;

/** Not the name of a column: the first row is a person, who would be lost. */
export const isPerson = (header: string): boolean =>
  header.length <= TYPED_ADDRESS_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(header);

/**
 * The columns of a file that can be imported. Refused: no names of columns, no column for the address, two for
 * one field, a mapping that names a column that the file does not have, or no status for these people.
 */
export function planColumns(names: readonly string[], options: ImportOptions): Result<ImportColumns> {
  const columns = suggestColumns(names, options);
  const { headers, fields, types, standing } = columns;
  if (names.some((name) => isPerson(name.trim())))
    return invalid(
      "The first row is a person. It has to name the columns, such as email and name: put such a row on top.",
    );
  // A mapping may name a hundred thousand columns: it is never searched by walking through it.
  const known = new Set(headers);
  const missing = Object.keys(options.mapping ?? {}).filter((header) => !known.has(header));
  if (missing.length > 0)
    return invalid(
      `The mapping names the columns ${quotedSome(missing)}, which are not there. There are ${quotedSome(headers)}.`,
    );
  const attributes = new Set(headers.filter((_, place) => fields[place]?.kind === "attribute"));
  const typeless = Object.keys(types).filter((header) => !attributes.has(header));
  if (typeless.length > 0)
    return invalid(
      `The types name the columns ${quotedSome(typeless)}, which become no attribute: say with \`mapping\` (--map) or \`unknownColumns\` (--unknown-columns) that they do, or name no type.`,
    );
  const texts = fields.flatMap((field) => (field === null ? [] : [fieldText(field)]));
  const mapped = Object.values(options.mapping ?? {}).flatMap((field) =>
    field === null || isWhoLeft(field.kind) ? [] : [fieldText(field)],
  );
  const twice = firstRepeated(mapped) ?? repeated(names, headers, options.mapping);
  if (twice !== undefined) return invalid(`The column ${twice} is there twice: leave one out.`);
  if (!texts.includes("email"))
    return invalid(
      `The first row has no column email. It has ${quotedSome(headers)}: say with \`mapping\` (--map) which one holds the addresses.`,
    );
  const saysStatus = texts.includes("status") || standing.some(({ isForAll }) => isForAll);
  if (!saysStatus && options.status === null)
    return invalid(
      standing.some(({ saysWhoAgreed }) => saysWhoAgreed !== true)
        ? "The file says who left, but not what the others are: say it with `status` (--status), SUBSCRIBED if they agreed to marketing mail."
        : "The file has no status column: say with `status` (--status) what these people are, SUBSCRIBED if they agreed to marketing mail.",
    );
  return accept(columns);
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
function repeated(
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
