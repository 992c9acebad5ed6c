import { NO, YES } from "#imports/rows/standing/standing-words.ts";
import { email, firstName, lastName, none, type Source, type Standing } from "./source.ts";

/** The screens, the API (`emailBlacklisted`) and older versions each write it in their own way. */
const BLOCKLISTED = /^_?(?:email[_ ]?)?(?:black|block)listed$/i;

/** Others write it so too: phpList does. */
const OF_ANY_TOOL: ReadonlySet<string> = new Set(["blacklisted", "blocklisted"]);

const SUBSCRIBED = /^_subscribed$/i;

/** Fields that each account begins with. */
const BREVOS_OPT_IN = /^(?:DOUBLE_)?OPT[-_]IN$/;

/** A file with such a column counts as Brevo's whatever else is in it: nobody who left may be subscribed. */
export const brevo: Source = {
  name: "brevo",
  title: "brevo",
  isWrittenBy: (headers) =>
    [...headers].some(
      (header) => (BLOCKLISTED.test(header) && !OF_ANY_TOOL.has(header)) || SUBSCRIBED.test(header),
    ) ||
    (headers.has("EMAIL") &&
      [
        "FIRSTNAME",
        "LASTNAME",
        "PRENOM",
        "NOM",
        "VORNAME",
        "NACHNAME",
        "SMS",
        "ADDED_TIME",
        "MODIFIED_TIME",
      ].some((header) => headers.has(header))),
  // French and German spreadsheets too have `NOM`, `VORNAME` and `EMAIL`.
  optInsToIgnore: (headers) => {
    const isIts = [...headers].some(
      (each) => BLOCKLISTED.test(each) || SUBSCRIBED.test(each) || /^(?:ADDED|MODIFIED)_TIME$/.test(each),
    );
    return (header) => isIts || BREVOS_OPT_IN.test(header);
  },
  fields: {
    EMAIL: email,
    FIRSTNAME: firstName,
    PRENOM: firstName,
    VORNAME: firstName,
    LASTNAME: lastName,
    NOM: lastName,
    NACHNAME: lastName,
    ...none("CONTACT ID", "CONTACT_ID", "SMS_BLACKLISTED", "smsBlacklisted", "ADDED_TIME", "MODIFIED_TIME"),
  },
  standing: [
    { header: BLOCKLISTED, isForAll: false, standingOf: blocklisted },
    { header: SUBSCRIBED, isForAll: false, saysWhoAgreed: true, standingOf: subscribed },
  ],
};

/**
 * Brevo's mark is a yes or no, or names the channels that are closed, as in
 * `[email_marketing|sms_marketing]`. A mark that nobody knows fails its row: it may mean that the person
 * left.
 */
function blocklisted(cell: string): Standing | null {
  const words = wordsIn(cell);
  if (words.some(isYesForEmail)) return "UNSUBSCRIBED";
  return words.every(isKnownMark) ? null : "unknown";
}

/** The opposite mark, which names the channels that are open. Who left may have neither, if a column was taken out. */
function subscribed(cell: string): Standing | null {
  const words = wordsIn(cell);
  if (words.some(isYesForEmail)) return null;
  return words.every(isKnownMark) ? "notAgreed" : "unknown";
}

const wordsIn = (cell: string): string[] =>
  cell
    .toLowerCase()
    .split(/[\s,;|[\]"']+/)
    .filter((word) => word !== "");

const isKnownMark = (word: string): boolean => YES.has(word) || NO.has(word) || word.endsWith("_marketing");

const isYesForEmail = (word: string): boolean => YES.has(word) || word === "email_marketing";
