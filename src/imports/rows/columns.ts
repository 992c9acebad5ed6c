import { whoLeftField } from "#contacts/who-left.ts";
import { spelledName, type SpelledName } from "#core/text/spelled-name.ts";
import { attributeNamer } from "./attribute-name.ts";
import type { ColumnType } from "./column-type.ts";
import { fieldText, isWhoLeft, parseField, type ImportField } from "./field.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import { headerNames } from "./header-names.ts";
import type { Source, SourceName } from "#imports/sources/source.ts";
import { fieldOfTool, isOwnColumn, optInsToIgnore, sourceOf } from "#imports/sources/sources.ts";
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
 * Whether a mapping says what a file's columns are. One that only leaves columns out, says who left, or how tags are
 * written, does not: it makes exceptions, and every other column is what it is without a mapping.
 */
const isWhole = (mapping: ImportOptions["mapping"]): boolean =>
  Object.values(mapping ?? {}).some(
    (field) => field !== null && field.kind !== "tagsByComma" && !isWhoLeft(field.kind),
  );

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
  const isIgnored = optInsToIgnore(tool, headers);
  const whoLeft = (header: SpelledName): Meaning => whoLeftBeside(tool, header, isIgnored);
  // Beside a whole mapping nothing is guessed but who left: besides the mapping only our own names count.
  if (isWhole(mapping)) return [mapped, known, whoLeft];
  return [mapped, known, whoLeft, usualFields(headers.filter((header) => !isNamed(header)))];
}

/**
 * A name that says who left, in a column that the tool does not write itself. A known tool says in columns of
 * its own who gets mail, so an `OPT_IN` beside them counts for nothing.
 */
function whoLeftBeside(
  tool: Source | null,
  header: SpelledName,
  isIgnored: (optIn: string) => boolean,
): Meaning {
  if (isOwnColumn(tool, header.name)) return undefined;
  const kind = whoLeftField(header);
  return kind === null || (kind === "optedIn" && isIgnored(header.name)) ? undefined : { kind };
}

/** Null: the file says who left, nobody knows what wrote it, or it is ours, which has the status of each. */
function hiderOfLeavers(tool: Source | null, headers: readonly string[]): SourceName | null {
  if (tool === null || tool.standing.length === 0 || tool.name === "postrider") return null;
  const isTold = tool.standing.some(
    ({ header: named, saysWhoAgreed }) =>
      saysWhoAgreed !== true && headers.some((header) => named.test(header)),
  );
  return isTold && tool.hidesLeavers !== true ? null : tool.name;
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
