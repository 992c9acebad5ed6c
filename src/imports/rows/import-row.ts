import { isOut, type ContactStatus } from "#contacts/contact.ts";
import { parseNewContact, type NewContact } from "#contacts/contact-input.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { attributesReader, NO_ATTRIBUTES, warningOf } from "./attribute-cells.ts";
import type { ImportColumns } from "./columns.ts";
import { consentReader, NO_CONSENT, type ConsentCells } from "./consent-cells.ts";
import type { PlainField } from "./field.ts";
import { cellReader, checkEncoding } from "./intact-cells.ts";
import { standingReader, type RowStanding } from "./standing/row-standing.ts";
import { tagsByComma, tagsOf } from "./tags-cell.ts";

/** A row of an import, treated like a POST. Undefined tags leave the contact's tags as they are. */
export type ImportRow = Omit<NewContact, "tags" | "status"> &
  Omit<ConsentCells, "warning"> &
  Omit<RowStanding, "hasAgreed"> & {
    readonly tags: readonly string[] | undefined;
    /** What was left out of it; the rest is imported. */
    readonly warning: string | null;
  };

/** Makes the reader of a file's rows: what depends on the columns alone is looked up once. */
export function rowParser(columns: ImportColumns, defaultStatus: ContactStatus | null, now: Instant) {
  const { headers, fields, source } = columns;
  const cellIn = cellReader(source);
  const placeOf = (kind: PlainField | "attributesJson"): number =>
    fields.findIndex((field) => field?.kind === kind);
  const at = {
    email: placeOf("email"),
    firstName: placeOf("firstName"),
    lastName: placeOf("lastName"),
    name: placeOf("name"),
    tags: placeOf("tags"),
    tagsByComma: placeOf("tagsByComma"),
    status: placeOf("status"),
    attributes: placeOf("attributesJson"),
  };
  const hasTags = at.tags !== -1 || at.tagsByComma !== -1;
  const consentIn = consentReader(columns, now);
  const standingOf = standingReader(columns, at.status, defaultStatus);
  const attributesOf = attributesReader(columns, at.attributes);

  return (cells: readonly string[]): Result<ImportRow> => {
    const fit = checkWidth(cells, headers.length);
    if (!fit.ok) return fit;
    const intact = checkEncoding(cells);
    const cell = (place: number): string => cellIn(cells, place);
    const address = parseEmailAddress(cell(at.email));
    if (!address.ok) return intact.ok ? address : intact;
    const standing = standingOf(cells);
    if (!standing.ok) return intact.ok ? standing : intact;
    const { status, suppress, hasAgreed } = standing.value;
    const faults = faultsOf(isOut(status));
    const whole = faults.unless(intact, null);
    if (!whole.ok) return whole;
    const [first, last] = namesOf(cell(at.firstName), cell(at.lastName), cell(at.name));
    const email = address.value;
    const tags = [...tagsOf(cell(at.tags)), ...tagsByComma(cell(at.tagsByComma))];
    const body = { email, firstName: first, lastName: last, tags };
    const contact = faults.unless(parseNewContact(body), null);
    if (!contact.ok) return contact;
    const attributes = faults.unless(attributesOf(cells, cell), NO_ATTRIBUTES);
    if (!attributes.ok) return attributes;
    const consent = faults.unless(consentIn(cell), NO_CONSENT);
    if (!consent.ok) return consent;
    const { consentAt, consentIp } = hasAgreed ? consent.value : NO_CONSENT;
    const { change } = attributes.value;
    return accept({
      ...(contact.value ?? NOBODY_KNOWN),
      email,
      tags: hasTags ? contact.value?.tags : undefined,
      attributes: Object.keys(change).length === 0 ? undefined : change,
      status,
      suppress,
      consentAt,
      consentIp,
      warning:
        faults.found.length > 0
          ? withoutFaults(status, faults.found.join("; "))
          : warningOf(attributes.value, consent.value),
    });
  };
}

const NOBODY_KNOWN = { firstName: undefined, lastName: undefined, consent: undefined };

/** What is wrong with cells that say nothing of consent. An opt-out is not lost because of them: they are left out of it. */
function faultsOf(isOptOut: boolean) {
  const found: string[] = [];
  return {
    found,
    unless<T, N>(read: Result<T>, nothing: N): Result<T | N> {
      if (read.ok || !isOptOut) return read;
      found.push(read.refusal.message);
      return accept(nothing);
    },
  };
}

export const withoutFaults = (status: ContactStatus, faults: string): string =>
  `imported as ${status}, without what is wrong in the row: ${faults}`;

function checkWidth(cells: readonly string[], width: number): Result<null> {
  if (cells.slice(width).some((text) => text.trim() !== ""))
    return invalid(
      `the row has ${cells.length} cells for ${width} columns: put cells with delimiters in double quotes`,
    );
  return accept(null);
}

/** The first word of a full name is the first name. Separate columns for first and last name take precedence. */
function namesOf(firstName: string, lastName: string, name: string): readonly [string, string] {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  return [firstName.trim() || first, lastName.trim() || rest.join(" ")];
}
