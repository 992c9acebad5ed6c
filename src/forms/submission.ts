import { parseEmailAddress } from "#core/email-address.ts";
import { accept, invalid, type Result } from "#core/errors.ts";
import { storedText } from "#core/stored-text.ts";
import { codePoints } from "#core/text.ts";

const NAME_CHARACTERS_MAX = 200;

/** What was posted, in any encoding. JSON may hold any value. */
export type SubmittedFields = Readonly<Record<string, unknown>>;

/** What the submitter entered. An undefined name was not given. */
export type Submission = {
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
};

/** Reads a submission and ignores other fields. The messages are for the person at the form. */
export function parseSubmission(fields: SubmittedFields): Result<Submission> {
  const typed = fields["email"] ?? "";
  const email =
    typeof typed === "string" ? parseEmailAddress(typed) : invalid("The email address must be text.");
  if (!email.ok) return email;
  const firstName = parseName(fields["firstName"], "first name");
  if (!firstName.ok) return firstName;
  const lastName = parseName(fields["lastName"], "last name");
  if (!lastName.ok) return lastName;
  return accept({ email: email.value, firstName: firstName.value, lastName: lastName.value });
}

function parseName(value: unknown, what: string): Result<string | undefined> {
  if (value === undefined || value === null) return accept(undefined);
  if (typeof value !== "string") return invalid(`The ${what} must be text.`);
  const name = storedText(value);
  if (codePoints(name) > NAME_CHARACTERS_MAX)
    return invalid(`The ${what} has more than ${NAME_CHARACTERS_MAX} characters. Shorten it.`);
  return accept(name === "" ? undefined : name);
}
