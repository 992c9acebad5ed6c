/** What is known of a tool that writes files. Each has a file here; how theirs look is in test/fixtures/imports/README.md. */
import type { ContactStatus } from "#contacts/contact.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { ImportField } from "#imports/rows/field.ts";

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
  readonly hidesLeavers?: true;
  /** Whether cells carry our own guard against formulas. */
  readonly isGuarded?: true;
};

export const email = { kind: "email" } as const;
export const firstName = { kind: "firstName" } as const;
export const lastName = { kind: "lastName" } as const;
export const name = { kind: "name" } as const;
export const tags = { kind: "tags" } as const;
export const attributesJson = { kind: "attributesJson" } as const;

/** Columns that are known, but not imported. */
export const none = (...headers: readonly string[]): Record<string, null> =>
  Object.fromEntries(headers.map((header) => [header, null]));

/** Whether a file has all of these headers. */
export const hasAll =
  (...wanted: readonly string[]): Source["isWrittenBy"] =>
  (headers) =>
    wanted.every((header) => headers.has(header));

/** A word for each standing, compared in any case; another word is unknown, an empty cell says nothing. */
export const byWord =
  (words: Readonly<Record<string, Standing>>) =>
  (cell: string): Standing | null => {
    const word = cell.trim().toLowerCase();
    if (word === "") return null;
    return Object.hasOwn(words, word) ? (words[word] ?? null) : "unknown";
  };

export const whereFilled =
  (standing: Standing) =>
  (cell: string): Standing | null =>
    cell.trim() === "" ? null : standing;
