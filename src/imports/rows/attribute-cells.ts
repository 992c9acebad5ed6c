/** What a row says of a person's attributes: in columns of their own, and in one with JSON. */
import { parseAttributeValue } from "#attributes/attribute-input.ts";
import { isAttributeName, type AttributeValue } from "#attributes/attribute.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import { quoted, quotedSome } from "#core/text/text.ts";
import { typedCell, unfitFor, type ColumnType } from "./column-type.ts";
import type { ImportColumns } from "./columns.ts";
import { intactIn } from "./intact-cells.ts";

type Attributes = {
  readonly change: Readonly<Record<string, AttributeValue>>;
  readonly warning: string | null;
};

export const NO_ATTRIBUTES: Attributes = { change: {}, warning: null };

/** A cell that is no value of its column's type stays as it is written, with a warning. */
export function attributesReader({ headers, fields, types }: ImportColumns, jsonPlace: number) {
  const attributePlaces = fields.flatMap((field, place) =>
    field?.kind === "attribute"
      ? [{ place, name: field.name, type: typeIn(types, headers[place] ?? "") }]
      : [],
  );
  return (cells: readonly string[], cell: (place: number) => string): Result<Attributes> => {
    const change: Record<string, AttributeValue> = {};
    const unfit: string[] = [];
    for (const { place, name, type } of attributePlaces) {
      const text = cell(place);
      if (text.trim() === "") continue;
      const typed = typedCell(type, text);
      if (typed === null) unfit.push(`imported with ${name} as text: ${quoted(text)} is ${unfitFor(type)}`);
      const value = parseAttributeValue(`attributes.${name}`, typed ?? text);
      if (!value.ok) return value;
      change[name] = value.value;
    }
    const own = { change, warning: someOf(unfit) };
    const json = intactIn(cells, jsonPlace);
    return jsonPlace === -1 || json.trim() === "" ? accept(own) : withJson(own, json);
  };
}

/** The types are by header, and a header may be called like a member that every object has. */
const typeIn = (types: ImportColumns["types"], header: string): ColumnType =>
  (Object.hasOwn(types, header) ? types[header] : undefined) ?? "text";

const UNFIT_SHOWN = 5;

function someOf(unfit: readonly string[]): string | null {
  const more = unfit.length - UNFIT_SHOWN;
  const shown = [...unfit.slice(0, UNFIT_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return shown.join("; ") || null;
}

/** Several warnings as one; null where there are none. */
export const warningOf = (...read: readonly Pick<Attributes, "warning">[]): string | null =>
  read.flatMap(({ warning }) => warning ?? []).join("; ") || null;

/**
 * Adds the members of a cell of JSON, with their types. What an attribute cannot hold (objects, lists of anything
 * but strings, invalid names) is left out, with a warning; null says nothing.
 */
function withJson(own: Attributes, json: string): Result<Attributes> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = undefined;
  }
  if (!isJsonObject(parsed)) return invalid("the attributes are no JSON object");
  const all: Record<string, AttributeValue> = { ...own.change };
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    if (value === null) continue;
    const read = isAttributeName(name) ? parseAttributeValue(`attributes.${name}`, value) : null;
    if (read?.ok) all[name] = read.value;
    else dropped.push(name);
  }
  const warning =
    dropped.length === 0
      ? null
      : `imported without the attributes ${quotedSome(dropped)}: nested, too long, or no name of an attribute`;
  return accept({ change: all, warning: warningOf(own, { warning }) });
}
