import { writeNumber } from "../parts/typed/typed-number.ts";
import type { Texts } from "../texts/en/index.ts";

/** A value of an attribute as people of this language write it; "" where there is none of this name. */
export function attributeText(
  attributes: object | undefined,
  name: string,
  { yes, no }: Pick<Texts["contact"], "yes" | "no">,
): string {
  if (attributes === undefined || !Object.hasOwn(attributes, name)) return "";
  const value = (attributes as Readonly<Record<string, unknown>>)[name];
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? yes : no;
  return typeof value === "number" ? writeNumber(value) : String(value);
}
