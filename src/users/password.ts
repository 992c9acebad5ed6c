import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isLongerThan, codePoints } from "#core/text/text.ts";
import { COMMON_PASSWORDS } from "./common-passwords.gen.ts";

const CHARACTERS_MIN = 10;
/** Longer than any password that people use. Hashing takes the same time for any length. */
const CHARACTERS_MAX = 1_000;
/** `aaaaaaaaaa` and `abababababab` are long, but easy to guess. */
const DIFFERENT_MIN = 4;

/**
 * A password as it is hashed and compared: Unicode can write the same letter in several ways, and keyboards
 * differ (NIST SP 800-63B, 3.1.1.2). Nobody could choose more than is kept here. Normalizing takes quadratic time
 * if all characters are combining marks, and strangers type here.
 */
export const comparablePassword = (typed: string): string =>
  typed.slice(0, 2 * CHARACTERS_MAX + 1).normalize("NFKC");

/**
 * Checks a new password: it is long enough, and not one of those that everybody tries first. There are no
 * rules about digits and signs: they make passwords harder to remember, and no harder to guess.
 * @param email the person's address: strangers try it as the password
 */
export function parseNewPassword(typed: string, email: string): Result<string> {
  if (isLongerThan(typed, CHARACTERS_MAX))
    return invalid(`\`password\` is longer than ${CHARACTERS_MAX} characters. Shorten it.`);
  const password = comparablePassword(typed);
  if (codePoints(password) < CHARACTERS_MIN)
    return invalid(`\`password\` must have at least ${CHARACTERS_MIN} characters.`);
  return isGuessedFirst(password, email)
    ? invalid("`password` is one of those that are tried first. Take another, for example four words.")
    : accept(password);
}

function isGuessedFirst(password: string, email: string): boolean {
  const text = password.toLowerCase();
  const [localPart = "", domain = ""] = email.split("@");
  return (
    new Set(text).size < DIFFERENT_MIN ||
    isRun(text) ||
    [email, localPart, domain].includes(text) ||
    common().has(text)
  );
}

/** `1234567890`, `abcdefghijkl`, and both backwards: every character is one step from the one before. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, i) => code - (codes[i] ?? 0)));
  return steps.size === 1 && [1, -1].includes([...steps][0] ?? 0);
}

let known: ReadonlySet<string> | null = null;

/** Built when the first password is chosen: most runs of the service never need it. */
const common = (): ReadonlySet<string> => (known ??= new Set(COMMON_PASSWORDS.split("\n")));
