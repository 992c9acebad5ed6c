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

/** The address, and those of the form's `fields` that a contact can have. */
export function shownFields(wanted: readonly string[]): FormField[] {
  return [EMAIL, ...OPTIONAL.filter(({ name }) => wanted.includes(name))];
}
