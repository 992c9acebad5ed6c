import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import type { ImportColumns } from "./columns.ts";
import { planColumns } from "./plan-columns.ts";
import { isConsent } from "./field.ts";

/** Not as the end of another word. Between its halves may stand any hyphen, or a blank, also written as `%20`. */
const NEVER_AGREED = /(?<![a-z])non[^a-z]{0,3}subscribe[dr]/i;

/**
 * Mailchimp exports people who never agreed to marketing mail as a file of their own, `nonsubscribed_….csv`. None of its
 * columns says so, only its name.
 */
export const isOfNonSubscribed = (path: string): boolean =>
  NEVER_AGREED.test(path.split(/[/\\]/).at(-1) ?? "");

/**
 * `planColumns` for a file whose name is known. One of people who never agreed subscribes nobody by the options, and no
 * time in it says that somebody agreed.
 */
export function planFile(
  names: readonly string[],
  options: ImportOptions,
  ofNonSubscribed: boolean,
): Result<ImportColumns> {
  const columns = planColumns(names, options);
  if (!columns.ok || !ofNonSubscribed) return columns;
  if (options.status === "SUBSCRIBED")
    return invalid(
      "By its name this is Mailchimp's file of people who never agreed to marketing mail: leave it out, or import it with the `status` (--status) PENDING.",
    );
  return accept(withoutConsent(columns.value));
}

export const withoutConsent = (columns: ImportColumns): ImportColumns => ({
  ...columns,
  fields: columns.fields.map((field) => (isConsent(field?.kind) ? null : field)),
});
