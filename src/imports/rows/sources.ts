/**
 * Files that other tools write, recognized by their headers (docs/decisions.md "Many at once"; how they look is
 * in test/fixtures/imports/README.md). Headers are compared as they are written, unless said otherwise.
 */
import type { ContactStatus } from "#contacts/contact.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";
import type { ImportField } from "./field.ts";
import { NO, YES } from "./standing/standing-words.ts";

export const SOURCE_NAMES = ["postrider", "listmonk", "mailchimp", "brevo", "keila", "substack"] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/**
 * What a cell says of a person's standing. `default`: they get mail there, so the status of the import's
 * options counts, or SUBSCRIBED without one. `unknown`: a word this tool does not write, so the row fails. `notAgreed`:
 * nothing says that they agreed, so neither the options nor a column `status` subscribes them, and no time counts as
 * their consent.
 */
export type Standing = ContactStatus | "default" | Suppressed | "unknown" | "notAgreed";

/** Never to be mailed, and why. */
type Suppressed = { readonly suppress: SuppressionReason };

/** A column that shows the standing. It is not imported as anything else, unless a mapping says so. */
export type StandingRule = {
  readonly header: RegExp;
  /** Whether it is filled for everybody in the file. If not, it names those who left, and the others have no status. */
  readonly isForAll: boolean;
  /** True: a row with an empty cell fails unless another column tells, because nobody knows whether the person left. */
  readonly mustBeFilled?: true;
  /** It names those who get mail. Whom it does not name may have left, or never agreed. */
  readonly saysWhoAgreed?: true;
  /** Null: the next column decides, and after the last one the import's options. */
  standingOf(cell: string): Standing | null;
};

export type Source = {
  /** Null: the contract has no name for it, so a preview does not show one. */
  readonly name: SourceName | null;
  /** How messages call it. */
  readonly title: string;
  isWrittenBy(headers: ReadonlySet<string>): boolean;
  /** By header. Null: known, but not imported. */
  readonly fields: Readonly<Record<string, ImportField | null>>;
  readonly standing: readonly StandingRule[];
  /**
   * Tells of the columns of a file with these headers whether one that seems to say who agreed says nothing: a field of
   * the account, which hardly anybody there fills in. Left out: always. Spreadsheets of people may have the same few
   * headers, and what somebody says there counts.
   */
  optInsToIgnore?(headers: ReadonlySet<string>): (header: string) => boolean;
  /** Whether people who left may stand in the file like everybody else, whatever its columns. */
  readonly hidesLeavers: boolean;
  /** Whether cells carry our own guard against formulas. */
  readonly isGuarded: boolean;
};

const email = { kind: "email" } as const;
const firstName = { kind: "firstName" } as const;
const lastName = { kind: "lastName" } as const;
const name = { kind: "name" } as const;
const tags = { kind: "tags" } as const;
const attributesJson = { kind: "attributesJson" } as const;

const none = (...headers: readonly string[]): Record<string, null> =>
  Object.fromEntries(headers.map((header) => [header, null]));

/** A word for each standing, compared in any case; another word is unknown, an empty cell says nothing. */
const byWord =
  (words: Readonly<Record<string, Standing>>) =>
  (cell: string): Standing | null => {
    const word = cell.trim().toLowerCase();
    if (word === "") return null;
    return Object.hasOwn(words, word) ? (words[word] ?? null) : "unknown";
  };

const whereFilled =
  (standing: Standing) =>
  (cell: string): Standing | null =>
    cell.trim() === "" ? null : standing;

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

/** Our own words of a column `suppressed`. */
export const suppressedAs = byWord(
  Object.fromEntries(SUPPRESSION_REASONS.map((reason) => [reason.toLowerCase(), { suppress: reason }])),
);

const postrider: Source = {
  name: "postrider",
  title: "postrider",
  isWrittenBy: (headers) =>
    ["email", "firstName", "lastName", "tags", "status", "createdAt"].every((header) => headers.has(header)),
  fields: none("createdAt"),
  standing: [{ header: /^suppressed$/, isForAll: false, standingOf: suppressedAs }],
  hidesLeavers: false,
  isGuarded: true,
};

/** Who leaves a list there stays `enabled`: its own link for that changes the list's record, which is in no column. */
const listmonk: Source = {
  name: "listmonk",
  title: "listmonk",
  isWrittenBy: (headers) => ["email", "name", "status", "attributes"].every((header) => headers.has(header)),
  fields: { email, name, attributes: attributesJson, ...none("uuid", "created_at", "updated_at") },
  standing: [
    {
      header: /^status$/,
      isForAll: true,
      standingOf: byWord({
        enabled: "default",
        disabled: "UNSUBSCRIBED",
        blocklisted: { suppress: "MANUAL" },
      }),
    },
  ],
  hidesLeavers: true,
  isGuarded: false,
};

/** Beside these nobody but Mailchimp writes an address. Google's forms too have `Email Address` and `First Name`. */
const MAILCHIMPS_OWN = ["TAGS", "OPTIN_TIME", "CONFIRM_TIME", "LEID", "EUID", "MEMBER_RATING"];

/**
 * It exports one file for each state: only that of people who left has `UNSUB_TIME`, of dead addresses
 * `CLEAN_TIME`. The headers tell which file it is, whatever else was renamed: merge fields stand under labels
 * that the account chose, such as `E-Mail-Adresse`, but the system columns have no other names. Where a cell
 * is empty, somebody may have joined two of the files, so the person may be a subscriber or may have left.
 */
const mailchimp: Source = {
  name: "mailchimp",
  title: "mailchimp",
  isWrittenBy: (headers) =>
    headers.has("UNSUB_TIME") ||
    headers.has("CLEAN_TIME") ||
    (headers.has("LEID") && headers.has("EUID")) ||
    (headers.has("Email Address") &&
      ["First Name", "Last Name", ...MAILCHIMPS_OWN].some((own) => headers.has(own))),
  optInsToIgnore: (headers) => {
    const isIts = [...MAILCHIMPS_OWN, "UNSUB_TIME", "CLEAN_TIME"].some((own) => headers.has(own));
    return () => isIts;
  },
  fields: {
    "Email Address": email,
    "First Name": firstName,
    "Last Name": lastName,
    TAGS: tags,
    OPTIN_TIME: { kind: "consentAt" },
    OPTIN_IP: { kind: "consentIp" },
    CONFIRM_TIME: { kind: "confirmedAt" },
    CONFIRM_IP: { kind: "confirmedIp" },
    ...none("LAST_CHANGED", "LEID", "EUID", "GMTOFF", "DSTOFF"),
    ...none("UNSUB_CAMPAIGN_TITLE", "UNSUB_CAMPAIGN_ID", "UNSUB_REASON", "UNSUB_REASON_OTHER"),
    ...none("CLEAN_CAMPAIGN_TITLE", "CLEAN_CAMPAIGN_ID"),
  },
  standing: [
    {
      header: /^UNSUB_TIME$/,
      isForAll: true,
      mustBeFilled: true,
      standingOf: whereFilled("UNSUBSCRIBED"),
    },
    { header: /^CLEAN_TIME$/, isForAll: true, mustBeFilled: true, standingOf: whereFilled("BOUNCED") },
  ],
  hidesLeavers: false,
  isGuarded: false,
};

/** The screens, the API (`emailBlacklisted`) and older versions each write it in their own way. */
const BLOCKLISTED = /^_?(?:email[_ ]?)?(?:black|block)listed$/i;

/** Others write it so too: phpList does. */
const OF_ANY_TOOL: ReadonlySet<string> = new Set(["blacklisted", "blocklisted"]);

const SUBSCRIBED = /^_subscribed$/i;

/** Fields that each account begins with. */
const BREVOS_OPT_IN = /^(?:DOUBLE_)?OPT[-_]IN$/;

/** A file with such a column counts as Brevo's whatever else is in it: nobody who left may be subscribed. */
const brevo: Source = {
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
  hidesLeavers: false,
  isGuarded: false,
};

const keila: Source = {
  name: "keila",
  title: "keila",
  isWrittenBy: (headers) =>
    ["Email", "First name", "Last name", "Data"].every((header) => headers.has(header)),
  fields: {
    Email: email,
    "First name": firstName,
    "Last name": lastName,
    Data: attributesJson,
    ...none("External ID"),
  },
  standing: [
    {
      header: /^Status$/,
      isForAll: true,
      standingOf: byWord({ active: "default", unsubscribed: "UNSUBSCRIBED", unreachable: "BOUNCED" }),
    },
  ],
  hidesLeavers: false,
  isGuarded: false,
};

const substack: Source = {
  name: "substack",
  title: "substack",
  isWrittenBy: (headers) => headers.has("email") && headers.has("active_subscription"),
  fields: { email, name },
  standing: [
    {
      header: /^email_disabled$/,
      isForAll: true,
      standingOf: byWord({ true: "UNSUBSCRIBED", false: "default" }),
    },
  ],
  hidesLeavers: false,
  isGuarded: false,
};

/** The plugin "Newsletter" for WordPress: a letter says how somebody stands. Its `S` is who has not confirmed. */
const newsletterPlugin: Source = {
  name: null,
  title: "the plugin Newsletter",
  isWrittenBy: (headers) =>
    ["Email", "Surname", "Status", "Token", "Feed by mail", "Follow up"].every((header) =>
      headers.has(header),
    ),
  fields: {
    Email: email,
    Name: firstName,
    Surname: lastName,
    ...none("Token", "Feed by mail", "Follow up", "IP", "ID", "WP User ID", "Last Activity"),
  },
  standing: [
    {
      header: /^Status$/,
      isForAll: true,
      standingOf: byWord({
        c: "default",
        s: "PENDING",
        u: "UNSUBSCRIBED",
        b: "BOUNCED",
        p: { suppress: "COMPLAINT" },
      }),
    },
  ],
  hidesLeavers: false,
  isGuarded: false,
};

/** The first that fits counts. Brevo is the last, because one column is enough for it. */
export const SOURCES: readonly Source[] = [
  postrider,
  listmonk,
  mailchimp,
  keila,
  substack,
  newsletterPlugin,
  brevo,
];

/** The tool that wrote a file with these headers; null if none of those known. */
export function sourceOf(headers: readonly string[]): Source | null {
  const known = new Set(headers);
  return SOURCES.find((source) => source.isWrittenBy(known)) ?? null;
}

/** Whether a column is one that the tool writes. Whatever its name says to others, it says there what the tool means. */
export const isOwnColumn = (tool: Source | null, header: string): boolean =>
  tool !== null && fieldOfTool(tool, header) !== undefined;

/** Tells of each column of a file whether it says nothing, although it seems to say who agreed. */
export function optInsToIgnore(
  tool: Source | null,
  headers: readonly { readonly name: string }[],
): (header: string) => boolean {
  if (tool === null) return () => false;
  return tool.optInsToIgnore?.(new Set(headers.map((header) => header.name))) ?? (() => true);
}

/** What the tool means by a column. Null: known, but not imported. Undefined: not known. */
export function fieldOfTool({ fields, standing }: Source, header: string): ImportField | null | undefined {
  if (Object.hasOwn(fields, header)) return fields[header];
  return standing.some((rule) => rule.header.test(header)) ? null : undefined;
}
