import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storedText } from "#core/text/stored-text.ts";
import { hasControlCharacter, isLongerThan } from "#core/text/text.ts";

export const SUBJECT_MAX = 998;

/** A subject as it will be sent, even one made by a template: 1 to 998 characters on one line. */
export function checkSubject(subject: string): Result<string> {
  if (isLongerThan(subject, SUBJECT_MAX)) return tooLong();
  if (storedText(subject) === "") return invalid("`subject` is empty. Write one.");
  if (hasControlCharacter(subject)) return invalid("`subject` must be one line without control characters.");
  return accept(subject);
}

const tooLong = () => invalid(`\`subject\` is longer than ${SUBJECT_MAX} characters. Shorten it.`);
