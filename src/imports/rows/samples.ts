import { csvRows } from "#imports/csv/csv-rows.ts";
import type { AttributeUse } from "#attributes/attribute.ts";
import type { ColumnType } from "./column-type.ts";
import { typeFinder } from "./type-finder.ts";
import type { ImportColumns } from "./columns.ts";
import { stateOf } from "#contacts/who-left.ts";
import { fieldText, type ImportField } from "./field.ts";
import { cellReader } from "./intact-cells.ts";
import type { Bytes, FileHead } from "#imports/file-reading.ts";
import { ROWS_READ_MAX, type ColumnSample } from "./preview.ts";
import { parseImportStatus } from "./standing/row-standing.ts";
import { isStateWord, isPeoplesWord, STANDING_IN } from "./standing/standing-cells.ts";

const SAMPLES = 3;
const SAMPLE_CHARACTERS = 100;
const ROWS_LOOKED_AT = 100;

/** @param inUse the attributes that contacts have, if the types of the values are asked for; null: they are not */
export async function samplesOf(
  bytes: Bytes,
  { format, headerLines }: Pick<FileHead, "format" | "headerLines">,
  { headers, spelled, fields, source }: Pick<ImportColumns, "headers" | "spelled" | "fields" | "source">,
  inUse: readonly AttributeUse[] | null,
): Promise<ColumnSample[]> {
  const samples = headers.map(() => new Set<string>());
  const types = inUse === null ? [] : headers.map(typeFinder);
  const cellIn = cellReader(source);
  const stateOfColumn = spelled.map((header, place) =>
    fields[place]?.kind === "status" ? null : stateOf(header),
  );
  /** Columns with a word for how a subscriber stands; of one called `status`, a word that is not ours. */
  const states = new Set<number>();
  /** Columns with more than a yes and a no: as `optedIn`, rows with the other words would fail. */
  const choices = new Set<number>();
  const lists = fields.map((field) => (field?.kind === "tags" && source === null ? commaFinder() : null));
  let rows = 0;
  for await (const row of csvRows(bytes(), format, headerLines, ROWS_READ_MAX)) {
    if (++rows > ROWS_LOOKED_AT) break;
    if ("problem" in row) continue;
    for (const [place, known] of samples.entries()) {
      types[place]?.look(cellIn(row.cells, place));
      lists[place]?.look(row.cells[place] ?? "");
      const text = shortened((row.cells[place] ?? "").trim());
      if (text !== "" && known.size < SAMPLES) known.add(text);
      const state = stateOfColumn[place] ?? null;
      if (state !== null && isStateWord(state, text)) states.add(place);
      const isChoice = state === "choice" || state === "active";
      if (isChoice && STANDING_IN.optedIn(text) === "unknown") choices.add(place);
      const isForeign = fields[place]?.kind === "status" && source === null && !parseImportStatus(text).ok;
      if (isForeign && isPeoplesWord(text)) states.add(place);
    }
  }
  const texts = textsOf(inUse ?? []);
  return headers.map((header, place) => {
    const field = fields[place] ?? null;
    const state = stateOfColumn[place];
    const said = state === "people" || state === "anything" || state === null ? "subscribed" : "optedIn";
    const suggested = lists[place]?.found()
      ? "tagsByComma"
      : suggestedFor(field, states.has(place) && !choices.has(place) ? said : null);
    const found = types[place]?.found();
    const type = found === undefined ? {} : { type: typeFor(field, found, texts) };
    return { header, samples: [...(samples[place] ?? [])], suggested, ...type };
  });
}

/** Finds tags that are written `a, b`: read as ours, all those of a person would become one. */
function commaFinder() {
  let [hasCommas, isOurs] = [false, false];
  return {
    look(cell: string): void {
      hasCommas ||= cell.includes(",");
      isOurs ||= cell.includes(";") || cell.trimStart().startsWith('"');
    },
    found: (): boolean => hasCommas && !isOurs,
  };
}

/** The attributes that are nothing but text. */
const textsOf = (inUse: readonly AttributeUse[]): ReadonlySet<string> =>
  new Set(inUse.flatMap(({ name, types }) => (types.every((type) => type === "string") ? [name] : [])));

/**
 * A condition asks for a number or for a text, so an attribute that is text so far should not become both. A date is
 * a text either way.
 */
function typeFor(field: ImportField | null, found: ColumnType, texts: ReadonlySet<string>): ColumnType {
  const isText = field?.kind === "attribute" && texts.has(field.name);
  return isText && !found.startsWith("date") ? "text" : found;
}

/**
 * A mapping that made such a column an attribute would say that it means nothing, and hide who left. One that
 * made it the status would fail every row that has another tool's word.
 */
function suggestedFor(field: ImportField | null, said: "subscribed" | "optedIn" | null): string | null {
  if (field === null || field.kind === "attributesJson") return null;
  const isMeant = field.kind === "attribute" || field.kind === "status";
  return said !== null && isMeant ? said : fieldText(field);
}

const shortened = (text: string): string =>
  text.length <= SAMPLE_CHARACTERS ? text : `${text.slice(0, SAMPLE_CHARACTERS).toWellFormed()}…`;
