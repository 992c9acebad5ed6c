import { ADDRESS_MAX } from "#core/addresses/email-address.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import type { Language } from "#texts/language.ts";
import { textsIn, type Texts } from "#texts/texts.ts";

/** The fields of a form, both hosted and embedded. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "text";
  readonly autocomplete: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
};

const emailField = ({ email }: Texts["form"]): FormField => ({
  name: "email",
  label: email,
  type: "email",
  autocomplete: "email",
  maxLength: ADDRESS_MAX,
  isRequired: true,
});

const nameFields = ({ firstName, lastName }: Texts["form"]): readonly FormField[] => [
  {
    name: "firstName",
    label: firstName,
    type: "text",
    autocomplete: "given-name",
    maxLength: NAME_CHARACTERS_MAX,
    isRequired: false,
  },
  {
    name: "lastName",
    label: lastName,
    type: "text",
    autocomplete: "family-name",
    maxLength: NAME_CHARACTERS_MAX,
    isRequired: false,
  },
];

const ATTRIBUTE_CHARACTERS_MAX = 1_000;

/**
 * The address, the names that the form's `fields` ask for, and the attributes among them, in the form's
 * order.
 */
export function shownFields(
  wanted: readonly string[],
  attributes: readonly string[],
  language: Language,
): FormField[] {
  const { form: texts } = textsIn(language);
  const names = nameFields(texts).filter(({ name }) => wanted.includes(name));
  return [emailField(texts), ...names, ...attributes.map(attributeField)];
}

const attributeField = (name: string): FormField => ({
  name,
  label: labelOf(name),
  type: "text",
  autocomplete: "on",
  maxLength: ATTRIBUTE_CHARACTERS_MAX,
  isRequired: false,
});

/** `favourite_colour` and `favouriteColour` are read as "Favourite colour". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(
      /([a-z0-9])([A-Z])(?=[a-z])/g,
      (_match, before: string, first: string) => `${before} ${first.toLowerCase()}`,
    )
    .replaceAll("_", " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
