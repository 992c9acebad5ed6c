import { isAttributeName } from "#attributes/attribute.ts";
import { WHO_LEFT_FIELDS, type WhoLeftField } from "#contacts/who-left.ts";

/** When and from where they agreed, and confirmed it. */
const CONSENT_FIELDS = ["consentAt", "consentIp", "confirmedAt", "confirmedIp"] as const;
export type ConsentField = (typeof CONSENT_FIELDS)[number];

const PLAIN_FIELDS = [
  "email",
  "firstName",
  "lastName",
  "name",
  "tags",
  "tagsByComma",
  "status",
  ...CONSENT_FIELDS,
] as const;
export type PlainField = (typeof PLAIN_FIELDS)[number];

/** What a column of a file is imported as. */
export type ImportField =
  | { readonly kind: PlainField }
  /** It says who left. There may be several of one kind. */
  | { readonly kind: WhoLeftField }
  | { readonly kind: "attribute"; readonly name: string }
  /** A cell that holds all attributes of a person, as a JSON object. */
  | { readonly kind: "attributesJson" };

const ATTRIBUTE = /^attributes\.(.*)$/s;

export const isConsent = (text: string | undefined): boolean =>
  CONSENT_FIELDS.some((field) => field === text);

export const isWhoLeft = (text: string | undefined): text is WhoLeftField =>
  WHO_LEFT_FIELDS.some((field) => field === text);

/** Null: there is no such field. */
export function parseField(text: string): ImportField | null {
  const plain = PLAIN_FIELDS.find((field) => field === text);
  if (plain !== undefined) return { kind: plain };
  if (isWhoLeft(text)) return { kind: text };
  const name = ATTRIBUTE.exec(text)?.[1];
  return name !== undefined && isAttributeName(name) ? { kind: "attribute", name } : null;
}

/** As `mapping` writes it. */
export const fieldText = (field: ImportField): string =>
  field.kind === "attribute"
    ? `attributes.${field.name}`
    : field.kind === "attributesJson"
      ? "attributes"
      : field.kind;

export const FIELD_NAMES = [...PLAIN_FIELDS, ...WHO_LEFT_FIELDS, "attributes.<name>"]
  .map((name) => `\`${name}\``)
  .join(", ");
