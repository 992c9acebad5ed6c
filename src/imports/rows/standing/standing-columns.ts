import { stateOf } from "#contacts/who-left.ts";
import type { SpelledName } from "#core/text/spelled-name.ts";
import { isWhoLeft, parseField, type ImportField } from "#imports/rows/field.ts";
import { suppressedAs } from "#imports/sources/postrider.ts";
import type { Source, Standing, StandingRule } from "#imports/sources/source.ts";
import { isOwnColumn, optInsToIgnore } from "#imports/sources/sources.ts";
import { STANDING_IN, STANDING_IN_ATTRIBUTE, STANDING_IN_STATE } from "./standing-cells.ts";

/** A column that says who left. */
export type StandingColumn = Omit<StandingRule, "header"> & {
  readonly header: string;
  readonly place: number;
  /** The tool that wrote it; null: its header or a mapping says what it is. */
  readonly tool: string | null;
};

type Fields = readonly (ImportField | null)[];

/**
 * All columns that say who left. Those of no known tool come first: what a tool says may be that the options count.
 * @param isNamed whether the mapping says what a column is
 */
export const standingColumns = (
  tool: Source | null,
  headers: readonly SpelledName[],
  fields: Fields,
  isNamed: (header: string) => boolean,
): StandingColumn[] => [
  ...columnsOfOthers(tool, headers, fields, isNamed),
  ...columnsOfTool(tool, headers, fields),
];

function columnsOfOthers(
  tool: Source | null,
  headers: readonly SpelledName[],
  fields: Fields,
  isNamed: (header: string) => boolean,
): StandingColumn[] {
  const isIgnored = optInsToIgnore(tool, headers);
  return headers.flatMap((spelled, place): StandingColumn[] => {
    const { name: header } = spelled;
    const kind = fields[place]?.kind;
    const column = { header, place, tool: null, isForAll: false };
    if (isWhoLeft(kind)) {
      const saysWhoAgreed = kind === "subscribed" || kind === "optedIn";
      const standingOf =
        spelled.words === "suppressed" ? withOurReasons(STANDING_IN[kind]) : STANDING_IN[kind];
      return [{ ...column, ...(saysWhoAgreed ? { saysWhoAgreed } : {}), standingOf }];
    }
    // A suggestion makes such a column an attribute too, where no row that it read has a word of subscribers.
    const isSilenced = isNamed(header) && kind !== "attribute";
    const isKnown = kind === "status" || isSilenced || isOwnColumn(tool, header);
    const state = isKnown || isOurAttribute(header) ? null : stateOf(spelled);
    if (state === "wish" && isIgnored(header)) return [];
    const standings = isNamed(header) ? STANDING_IN_ATTRIBUTE : STANDING_IN_STATE;
    return state === null ? [] : [{ ...column, saysWhoAgreed: true, standingOf: standings[state] }];
  });
}

/**
 * Of our own export a person may have taken columns out, so that nobody knows any more what wrote it. Somebody who
 * complained must not become one who left, and may come back.
 */
const withOurReasons =
  (read: (cell: string) => Standing | null) =>
  (cell: string): Standing | null => {
    const ours = suppressedAs(cell);
    return ours === "unknown" ? read(cell) : ours;
  };

/** As our own export names it: what it is called says nothing. */
const isOurAttribute = (header: string): boolean => parseField(header)?.kind === "attribute";

/**
 * A mapping says what people are called, not what they agreed to. So whoever left, as the tool's own columns say, is not
 * subscribed by one, unless it makes a column our status. A column that is imported as something else may mean anything:
 * only the tool's own words count there, and another word says nothing. If the column names those who agreed, a person
 * with another word is not among them.
 */
function columnsOfTool(
  tool: Source | null,
  headers: readonly SpelledName[],
  fields: Fields,
): StandingColumn[] {
  if (tool === null) return [];
  return tool.standing.flatMap(({ header: named, standingOf, ...rule }) => {
    const known = (cell: string) => {
      const standing = standingOf(cell);
      if (standing !== "unknown") return standing;
      return rule.saysWhoAgreed === true ? "notAgreed" : null;
    };
    return headers.flatMap(({ name: header }, place) => {
      const field = fields[place] ?? null;
      if (!named.test(header) || field?.kind === "status") return [];
      return [{ ...rule, header, place, tool: tool.title, standingOf: field === null ? standingOf : known }];
    });
  });
}
