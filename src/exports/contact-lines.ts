/** Contacts as lines of a file (docs/decisions.md "Many at once"). */
import { isoOf } from "#core/time/iso.ts";
import { attributeOf, type AttributeValue } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import { csvHeader, csvLine } from "#contacts/spreadsheet-cell.ts";
import type { SuppressionReason } from "#suppression/reason.ts";

/** `suppressed`: why the person is never mailed, whatever the status; undefined where nobody asked or nothing is. */
export type ExportedContact = Contact & { readonly suppressed?: SuppressionReason };

const COLUMNS = ["email", "firstName", "lastName", "tags", "status", "createdAt"] as const;

/**
 * The lines of a CSV (RFC 4180, every cell below the header in quotes), with a column for each attribute named. A cell that a
 * spreadsheet would run as a formula is guarded; an import removes the guard.
 * @param tells whether there is a last column `suppressed`
 */
export function csvLines(attributes: readonly string[], tells: boolean) {
  const last = (text: string): string[] => (tells ? [text] : []);
  return {
    header: csvHeader([...COLUMNS, ...attributes.map((name) => `attributes.${name}`), ...last("suppressed")]),
    line: (contact: ExportedContact): string => {
      const { email, firstName, lastName, tags, status, createdAt } = contact;
      const known = attributes.map((name) => textOf(attributeOf(contact.attributes, name)));
      const at = isoOf(createdAt);
      return csvLine([
        email,
        firstName,
        lastName,
        tagsText(tags),
        status,
        at,
        ...known,
        ...last(contact.suppressed ?? ""),
      ]);
    },
  };
}

/** `a;b`; where that could be read otherwise, `"a;b","c"`. An import reads both. */
function tagsText(tags: readonly string[]): string {
  const isPlain = tags.every((tag) => !tag.includes(";") && !tag.startsWith('"'));
  return isPlain ? tags.join(";") : tags.map((tag) => `"${tag.replaceAll('"', '""')}"`).join(",");
}

function textOf(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "object" ? value.join(";") : String(value);
}
