import { parseAttributeValue } from "#attributes/attribute-input.ts";
import { isAttributeName, type AttributeValue } from "#attributes/attribute.ts";
import { statusOfSuppressed } from "#contacts/consent/consent.ts";
import { CONTACT_STATUSES, isContactStatus, isOut, type ContactStatus } from "#contacts/contact.ts";
import { parseNewContact, type NewContact } from "#contacts/contact-input.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { unguardCell } from "#contacts/spreadsheet-cell.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import { quoted, quotedSome } from "#core/text/text.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { ImportColumns } from "./columns.ts";
import { consentReader, NO_CONSENT, type ConsentCells } from "./consent-cells.ts";
import type { PlainField } from "./field.ts";

/** A row of an import, treated like a POST. Undefined tags leave the contact's tags as they are. */
export type ImportRow = Omit<NewContact, "tags" | "status"> &
  Omit<ConsentCells, "warning"> & {
    readonly tags: readonly string[] | undefined;
    readonly status: ContactStatus;
    /** Why they are never to be mailed, whatever their status; null: nothing says so. */
    readonly suppress: SuppressionReason | null;
    /** What was left out of it; the rest is imported. */
    readonly warning: string | null;
  };

/**
 * Reads a status from an option or a cell, in any case. Never guesses: a misspelt opt-out must not subscribe
 * anybody.
 */
export function parseImportStatus(text: string): Result<ContactStatus> {
  const status = text.trim().toUpperCase();
  return isContactStatus(status)
    ? accept(status)
    : invalid(`the status ${quoted(text)} is none of ${CONTACT_STATUSES.join(", ")}`);
}

/** Makes the reader of a file's rows: what depends on the columns alone is looked up once. */
export function rowParser(columns: ImportColumns, defaultStatus: ContactStatus | null, now: Instant) {
  const { headers, fields, source } = columns;
  const isGuarded = source?.isGuarded ?? true;
  const placeOf = (kind: PlainField | "attributesJson"): number =>
    fields.findIndex((field) => field?.kind === kind);
  const at = {
    email: placeOf("email"),
    firstName: placeOf("firstName"),
    lastName: placeOf("lastName"),
    name: placeOf("name"),
    tags: placeOf("tags"),
    status: placeOf("status"),
    attributes: placeOf("attributesJson"),
  };
  const consentIn = consentReader(columns, now);
  const standingOf = standingReader(columns, at.status, defaultStatus);
  const attributesOf = attributesReader(columns, at.attributes);

  return (cells: readonly string[]): Result<ImportRow> => {
    const fit = checkWidth(cells, headers.length);
    if (!fit.ok) return fit;
    const intact = checkEncoding(cells);
    const cell = (place: number): string => {
      const text = intactIn(cells, place);
      return isGuarded ? unguardCell(text) : text;
    };
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
    const body = { email, firstName: first, lastName: last, tags: tagsOf(cell(at.tags)) };
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
      tags: at.tags === -1 ? undefined : contact.value?.tags,
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

type Warned = { readonly warning: string | null };

const warningOf = (...read: readonly Warned[]): string | null =>
  read.flatMap(({ warning }) => warning ?? []).join("; ") || null;

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

/** `hasAgreed`: nothing says that they did not, so a time of consent counts. */
type Stands = Pick<ImportRow, "status" | "suppress"> & { readonly hasAgreed: boolean };

/** What a row says of a person's standing: first the columns that say who left, then our own column. */
function standingReader(
  { standing, headers }: ImportColumns,
  ownPlace: number,
  defaultStatus: ContactStatus | null,
) {
  return (cells: readonly string[]): Result<Stands> => {
    let hasAgreed = true;
    let unread: string | null = null;
    for (const { place, header, tool, standingOf: read } of standing) {
      const cell = cells[place] ?? "";
      const shown = read(cell);
      if (shown === "notAgreed") hasAgreed = false;
      if (shown === null || shown === "notAgreed") continue;
      // Another column may still say that the person left.
      if (shown === "unknown") unread ??= unknownStanding(header, cell, tool);
      else if (typeof shown === "object")
        return accept({ ...shown, status: statusOfSuppressed(shown.suppress), hasAgreed });
      else if (shown !== "default") return accept({ status: shown, suppress: null, hasAgreed });
      else if (unread === null) return stands(defaultStatus ?? "SUBSCRIBED", hasAgreed);
    }
    if (unread !== null) return invalid(unread);
    const cell = cells[ownPlace] ?? "";
    const isSilent = cell.trim() === "";
    const unfilled = isSilent ? standing.find(({ mustBeFilled }) => mustBeFilled) : undefined;
    if (unfilled !== undefined)
      return invalid(
        `the column ${quoted(unfilled.header)} is empty, so nobody knows whether this person left: fill it in, or add a column status`,
      );
    const status = isSilent ? given(defaultStatus) : statusIn(cell, headers[ownPlace] ?? "status");
    return status.ok ? stands(status.value, hasAgreed) : status;
  };
}

/** Most other tools have a column of this name, with words of their own. */
function statusIn(cell: string, header: string): Result<ContactStatus> {
  const status = parseImportStatus(cell);
  if (status.ok) return status;
  return invalid(
    `the status ${quoted(cell)} is none of ${CONTACT_STATUSES.join(", ")}: write one of them, or have the column read as another tool's (\`mapping\`, --map '${header}=subscribed')`,
  );
}

const stands = (status: ContactStatus, hasAgreed: boolean): Result<Stands> =>
  accept({
    status: status === "SUBSCRIBED" && !hasAgreed ? "PENDING" : status,
    suppress: null,
    hasAgreed,
  });

const unknownStanding = (header: string, cell: string, tool: string | null): string =>
  tool === null
    ? `the column ${quoted(header)} may say who left, and ${quoted(cell)} is neither a yes nor a no: write one, or say what the column becomes instead (\`mapping\`, --map '${header}=')`
    : `the status ${quoted(cell)} is none that ${tool} writes`;

function attributesReader({ fields }: ImportColumns, jsonPlace: number) {
  const attributePlaces = fields.flatMap((field, place) =>
    field?.kind === "attribute" ? [{ place, name: field.name }] : [],
  );
  return (cells: readonly string[], cell: (place: number) => string): Result<Attributes> => {
    const change: Record<string, AttributeValue> = {};
    for (const { place, name } of attributePlaces) {
      const text = cell(place);
      if (text.trim() === "") continue;
      const value = parseAttributeValue(`attributes.${name}`, text);
      if (!value.ok) return value;
      change[name] = value.value;
    }
    const json = intactIn(cells, jsonPlace);
    return jsonPlace === -1 || json.trim() === ""
      ? accept({ change, warning: null })
      : withJson(change, json);
  };
}

type Attributes = {
  readonly change: Readonly<Record<string, AttributeValue>>;
  readonly warning: string | null;
};

const NO_ATTRIBUTES: Attributes = { change: {}, warning: null };

function checkWidth(cells: readonly string[], width: number): Result<null> {
  if (cells.slice(width).some((text) => text.trim() !== ""))
    return invalid(
      `the row has ${cells.length} cells for ${width} columns: put cells with delimiters in double quotes`,
    );
  return accept(null);
}

/** What stands where a letter could not be read. */
const DAMAGED = "\uFFFD";

/** A cell with such a letter counts as empty. */
function intactIn(cells: readonly string[], place: number): string {
  const text = cells[place] ?? "";
  return text.includes(DAMAGED) ? "" : text;
}

const checkEncoding = (cells: readonly string[]): Result<null> =>
  cells.some((text) => text.includes(DAMAGED))
    ? invalid("the row is not written in the file's encoding: save the file as UTF-8")
    : accept(null);

function given(status: ContactStatus | null): Result<ContactStatus> {
  return status === null
    ? invalid("the row has no status: fill it in, or give one for the whole file")
    : accept(status);
}

/** The first word of a full name is the first name. Separate columns for first and last name take precedence. */
function namesOf(firstName: string, lastName: string, name: string): readonly [string, string] {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  return [firstName.trim() || first, lastName.trim() || rest.join(" ")];
}

/** `a;b`, as we write them, or `"a","b"`, as Mailchimp does. */
function tagsOf(cell: string): string[] {
  const text = cell.trim();
  if (text === "") return [];
  return quotedTags(text) ?? text.split(";");
}

/**
 * The tags of `"a","b"`, where quotes inside are doubled; null for what is not written so. A regular expression would
 * remember a place for each character, and a cell may have a million.
 */
function quotedTags(text: string): string[] | null {
  // By turns what stands outside quotes and inside.
  const pieces = text.split('"');
  if (pieces.length % 2 === 0 || pieces[0] !== "") return null;
  const tags: string[] = [];
  let tag = "";
  for (let i = 1; i < pieces.length; i += 2) {
    const behind = pieces[i + 1] ?? "";
    const isLast = i + 2 === pieces.length;
    tag += pieces[i] ?? "";
    if (behind === "" && !isLast) tag += '"';
    else if (behind.trim() === "," || (behind === "" && isLast)) {
      tags.push(tag);
      tag = "";
    } else return null;
  }
  return tags;
}

/**
 * Adds the members of a cell of JSON, with their types. What an attribute cannot hold (objects, lists of anything
 * but strings, invalid names) is left out, with a warning; null says nothing.
 */
function withJson(change: Attributes["change"], json: string): Result<Attributes> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = undefined;
  }
  if (!isJsonObject(parsed)) return invalid("the attributes are no JSON object");
  const all: Record<string, AttributeValue> = { ...change };
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    if (value === null) continue;
    const read = isAttributeName(name) ? parseAttributeValue(`attributes.${name}`, value) : null;
    if (read?.ok) all[name] = read.value;
    else dropped.push(name);
  }
  const warning =
    dropped.length === 0
      ? null
      : `imported without the attributes ${quotedSome(dropped)}: nested, too long, or no name of an attribute`;
  return accept({ change: all, warning });
}
