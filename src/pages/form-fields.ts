/** The fields of a form, both hosted and embedded. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "text";
  readonly autocomplete: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
};

const EMAIL: FormField = {
  name: "email",
  label: "Email address",
  type: "email",
  autocomplete: "email",
  maxLength: 254,
  isRequired: true,
};

const OPTIONAL: readonly FormField[] = [
  {
    name: "firstName",
    label: "First name",
    type: "text",
    autocomplete: "given-name",
    maxLength: 200,
    isRequired: false,
  },
  {
    name: "lastName",
    label: "Last name",
    type: "text",
    autocomplete: "family-name",
    maxLength: 200,
    isRequired: false,
  },
];

const ATTRIBUTE_CHARACTERS_MAX = 1_000;

/**
 * The address, the names that the form's `fields` ask for, and the attributes among them, in the form's
 * order.
 */
export function shownFields(wanted: readonly string[], attributes: readonly string[]): FormField[] {
  return [EMAIL, ...OPTIONAL.filter(({ name }) => wanted.includes(name)), ...attributes.map(attributeField)];
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
