/** What a row says of a person's attributes: in columns of their own, and in one with JSON. */
import { parseAttributeValue } from "#attributes/attribute-input.ts";
import { isAttributeName, type AttributeValue } from "#attributes/attribute.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import { quotedSome } from "#core/text/text.ts";
import type { ImportColumns } from "./columns.ts";
import { intactIn } from "./intact-cells.ts";

type Attributes = {
  readonly change: Readonly<Record<string, AttributeValue>>;
  readonly warning: string | null;
};

export const NO_ATTRIBUTES: Attributes = { change: {}, warning: null };

export function attributesReader({ fields }: ImportColumns, jsonPlace: number) {
  const attributePlaces = fields.flatMap((field, place) =>
    field?.kind === "attribute" ? [{ place, name: field.name }] : [],
  );
  return (cells: readonly string[], cell: (place: number) => string): Result<Attributes> => {
    const change: Record<string, AttributeValue> = {};
    for (const { place, name } of attributePlaces) {
      const text = cell(place);
      if (text.trim() === "") continue;
      const value = parseAttributeValue(`attributes.${name}`, text);
      if (!value.ok) return value;
      change[name] = value.value;
    }
    const json = intactIn(cells, jsonPlace);
    return jsonPlace === -1 || json.trim() === ""
      ? accept({ change, warning: null })
      : withJson(change, json);
  };
}

/**
 * Adds the members of a cell of JSON, with their types. What an attribute cannot hold (objects, lists of anything
 * but strings, invalid names) is left out, with a warning; null says nothing.
 */
function withJson(change: Attributes["change"], json: string): Result<Attributes> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = undefined;
  }
  if (!isJsonObject(parsed)) return invalid("the attributes are no JSON object");
  const all: Record<string, AttributeValue> = { ...change };
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
  return accept({ change: all, warning });
}
