import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storedText } from "#core/text/stored-text.ts";
import { hasControlCharacter, isLongerThan } from "#core/text/text.ts";
import type { LiquidTemplate } from "#mail/liquid/liquid.ts";

export const SUBJECT_MAX = 998;
/** What the subject of a test begins with. It is no fault of its author if that makes it too long. */
export const TEST_MARK = "[Test] ";

/** A subject as it will be sent, even one made by a template: 1 to 998 characters on one line. */
export function checkSubject(subject: string): Result<string> {
  if (isLongerThan(subject, SUBJECT_MAX)) return tooLong();
  if (storedText(subject) === "") return invalid("`subject` is empty. Write one.");
  if (hasControlCharacter(subject)) return invalid("`subject` must be one line without control characters.");
  return accept(subject);
}

/**
 * The subject of one message, filled in. A loop can make it as long as a book, which takes long to encode, and relays
 * refuse or cut it. @throws NeedsThread
 */
export function filledSubject(
  template: Result<LiquidTemplate>,
  ...given: Parameters<LiquidTemplate["render"]>
): Result<string> {
  const line = template.ok ? template.value.render(...given) : template;
  return line.ok && isLongerThan(line.value, SUBJECT_MAX + TEST_MARK.length)
    ? invalid(`The subject becomes longer than ${SUBJECT_MAX} characters. Shorten it.`)
    : line;
}

const tooLong = () => invalid(`\`subject\` is longer than ${SUBJECT_MAX} characters. Shorten it.`);
