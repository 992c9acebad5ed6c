import { ATTRIBUTE_CHARACTERS_MAX } from "#attributes/attribute-input.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { storedText } from "#core/text/stored-text.ts";
import { isLongerThan } from "#core/text/text.ts";

/** What was posted, in any encoding. JSON may hold any value. */
export type SubmittedFields = Readonly<Record<string, unknown>>;

/** What the submitter entered. An undefined name was not given. */
export type Submission = {
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  /** Those that were filled in; never an empty text. */
  readonly attributes: Readonly<Record<string, string>>;
};

/** What is wrong with a submission. `field` is as the form names it. */
export type SubmissionProblem =
  | { readonly kind: "noAddress" }
  /** `message` says in English what exactly is wrong with it. */
  | { readonly kind: "badAddress"; readonly message: string }
  | { readonly kind: "tooLong"; readonly field: string; readonly max: number }
  | { readonly kind: "noText"; readonly field: string };

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SubmissionProblem };

const read = <T>(value: T): Read<T> => ({ ok: true, value });
const wrong = (problem: SubmissionProblem): Read<never> => ({ ok: false, problem });

/** Reads a submission of a form that asks for these attributes, and ignores other fields. */
export function parseSubmission(
  fields: SubmittedFields,
  attributeNames: readonly string[],
): Read<Submission> {
  const email = parseEmail(fields["email"] ?? "");
  if (!email.ok) return email;
  const firstName = parseName(fields, "firstName");
  if (!firstName.ok) return firstName;
  const lastName = parseName(fields, "lastName");
  if (!lastName.ok) return lastName;
  const attributes = parseAttributeFields(fields, attributeNames);
  if (!attributes.ok) return attributes;
  return read({
    email: email.value,
    firstName: firstName.value,
    lastName: lastName.value,
    attributes: attributes.value,
  });
}

function parseEmail(typed: unknown): Read<string> {
  if (typeof typed !== "string") return wrong({ kind: "noText", field: "email" });
  if (typed.trim() === "") return wrong({ kind: "noAddress" });
  const email = parseEmailAddress(typed);
  return email.ok ? read(email.value) : wrong({ kind: "badAddress", message: email.refusal.message });
}

/** Values that are not texts are ignored. */
function parseAttributeFields(
  fields: SubmittedFields,
  names: readonly string[],
): Read<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value !== "string") continue;
    const text = storedText(value);
    if (isLongerThan(text, ATTRIBUTE_CHARACTERS_MAX))
      return wrong({ kind: "tooLong", field: name, max: ATTRIBUTE_CHARACTERS_MAX });
    if (text !== "") attributes[name] = text;
  }
  return read(attributes);
}

function parseName(fields: SubmittedFields, field: "firstName" | "lastName"): Read<string | undefined> {
  const value = fields[field];
  if (value === undefined || value === null) return read(undefined);
  if (typeof value !== "string") return wrong({ kind: "noText", field });
  const name = storedText(value);
  if (isLongerThan(name, NAME_CHARACTERS_MAX))
    return wrong({ kind: "tooLong", field, max: NAME_CHARACTERS_MAX });
  return read(name === "" ? undefined : name);
}
