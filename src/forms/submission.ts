import { ATTRIBUTE_CHARACTERS_MAX } from "#attributes/attribute-input.ts";
import { parseEmailAddress } from "#core/email-address.ts";
import { accept, invalid, type Result } from "#core/errors.ts";
import { storedText } from "#core/stored-text.ts";
import { codePoints, isLongerThan, quoted } from "#core/text.ts";

const NAME_CHARACTERS_MAX = 200;

/** What was posted, in any encoding. JSON may hold any value. */
export type SubmittedFields = Readonly<Record<string, unknown>>;

/** What the submitter entered. An undefined name was not given. */
export type Submission = {
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  /** Those that were given; never an empty text. */
  readonly attributes: Readonly<Record<string, string>>;
};

/**
 * Reads a submission of a form that asks for these attributes, and ignores other fields. The messages are for
 * the person at the form.
 */
export function parseSubmission(
  fields: SubmittedFields,
  attributeNames: readonly string[],
): Result<Submission> {
  const typed = fields["email"] ?? "";
  const email =
    typeof typed === "string" ? parseEmailAddress(typed) : invalid("The email address must be text.");
  if (!email.ok) return email;
  const firstName = parseName(fields["firstName"], "first name");
  if (!firstName.ok) return firstName;
  const lastName = parseName(fields["lastName"], "last name");
  if (!lastName.ok) return lastName;
  const attributes = parseAttributeFields(fields, attributeNames);
  if (!attributes.ok) return attributes;
  return accept({
    email: email.value,
    firstName: firstName.value,
    lastName: lastName.value,
    attributes: attributes.value,
  });
}

/** Values that are no texts are passed over. */
function parseAttributeFields(
  fields: SubmittedFields,
  names: readonly string[],
): Result<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value !== "string") continue;
    const text = storedText(value);
    if (isLongerThan(text, ATTRIBUTE_CHARACTERS_MAX))
      return invalid(
        `The field ${quoted(name)} has more than ${ATTRIBUTE_CHARACTERS_MAX} characters. Shorten it.`,
      );
    if (text !== "") attributes[name] = text;
  }
  return accept(attributes);
}

function parseName(value: unknown, what: string): Result<string | undefined> {
  if (value === undefined || value === null) return accept(undefined);
  if (typeof value !== "string") return invalid(`The ${what} must be text.`);
  const name = storedText(value);
  if (codePoints(name) > NAME_CHARACTERS_MAX)
    return invalid(`The ${what} has more than ${NAME_CHARACTERS_MAX} characters. Shorten it.`);
  return accept(name === "" ? undefined : name);
}
