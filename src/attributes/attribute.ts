/**
 * What a workspace knows about its contacts beyond their documented fields: names and values of its own
 * choice (docs/contract.md "Attributes of contacts").
 */
export type AttributeValue = string | number | boolean | readonly string[];

/** By name. Read one with `attributeOf`: `constructor` is a name like any other. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

export const ATTRIBUTE_TYPES = ["string", "number", "boolean", "list"] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

export const NO_ATTRIBUTES: Attributes = Object.freeze({});

/** A name that some contacts have, the types of its values, and how many contacts have it. */
export type AttributeUse = {
  readonly name: string;
  /** In the order of `ATTRIBUTE_TYPES`. */
  readonly types: readonly AttributeType[];
  readonly contacts: number;
};

/** A letter A to Z, then letters, digits and `_`, at most 64 characters. */
export const ATTRIBUTE_NAME = "[A-Za-z][A-Za-z0-9_]{0,63}";
const NAME = new RegExp(`^${ATTRIBUTE_NAME}$`);

/** Names differ by case. */
export const isAttributeName = (text: string): boolean => NAME.test(text);

/** The value of an own member; never what an object inherits. */
export const attributeOf = (attributes: Attributes, name: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

export function typeOfAttribute(value: AttributeValue): AttributeType {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "list";
}
