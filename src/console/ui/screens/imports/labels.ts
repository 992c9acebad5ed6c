import type { Texts } from "../../texts/en/index.ts";
import { PLAIN_FIELDS, WHO_LEFT_FIELDS } from "./plan.ts";

/** The field of a column, in words. */
export function fieldLabel(imports: Texts["imports"], field: string): string {
  const plain = [...PLAIN_FIELDS, ...WHO_LEFT_FIELDS].find((known) => known === field);
  return plain === undefined ? imports.attribute(field.replace(/^attributes\./, "")) : imports.fields[plain];
}
