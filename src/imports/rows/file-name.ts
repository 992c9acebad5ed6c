import { invalid, type Refusal } from "#core/errors/errors.ts";
import type { ImportOptions } from "#imports/import-options.ts";

/** Not as the end of another word. */
const NEVER_AGREED = /(?<![a-z])non[-_ ]?subscribed/i;

/**
 * Mailchimp exports people who never agreed to marketing mail as a file of their own, `nonsubscribed_….csv`. None of its
 * columns says so, only its name. So a file of this name subscribes nobody by the options.
 */
export function checkFileName(path: string, { status }: Pick<ImportOptions, "status">): Refusal | null {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  if (status !== "SUBSCRIBED" || !NEVER_AGREED.test(name)) return null;
  return invalid(
    "By its name this is Mailchimp's file of people who never agreed to marketing mail: leave it out, or import it with the `status` (--status) PENDING.",
  ).refusal;
}
