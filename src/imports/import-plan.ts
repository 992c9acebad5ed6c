/** What a row of an import writes (docs/decisions.md "Many at once"). */
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import { fieldsOnly, planPost, type ContactWrite, type FoundContact } from "#contacts/contact-plan.ts";
import { isOut, type Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import type { ImportOptions } from "./import-options.ts";
import type { ImportRow } from "#imports/rows/import-row.ts";

const FROM_IMPORT: ConsentOrigin = { source: "import", formId: null, clientAddress: null, userAgent: null };

type Rules = Pick<ImportOptions, "existing" | "startAutomations">;

/**
 * A row is a POST /contacts, but: a file without tags leaves tags as they are; automations start only on request; a
 * time of consent is logged and raises nobody; who is suppressed in the file is here too. With `keep`, a contact
 * that exists stays unchanged, unless the row says that they opted out or bounced.
 */
export function planImport(
  found: FoundContact,
  row: ImportRow,
  { existing, startAutomations }: Rules,
  at: Instant,
): Result<ContactWrite> {
  const { contact } = found;
  if (existing === "keep" && contact !== null) {
    if (isPassedOver(true, row, { existing })) return accept(unchanged(contact, at));
    return planOptOut(found, row, at);
  }
  const write = planned(found, { ...row, tags: row.tags ?? contact?.tags ?? [] }, at);
  return startAutomations || !write.ok ? write : accept({ ...write.value, triggers: [] });
}

/** Whether a row is skipped because its contact exists. Then the contact joins no list either. */
export const isPassedOver = (
  isKnown: boolean,
  row: Pick<ImportRow, "status">,
  { existing }: Pick<Rules, "existing">,
): boolean => existing === "keep" && isKnown && !isOut(row.status);

type PlannedRow = Omit<ImportRow, "tags"> & { readonly tags: readonly string[] };

function planned(found: FoundContact, row: PlannedRow, at: Instant): Result<ContactWrite> {
  const write = planPost(found, row, FROM_IMPORT, at);
  if (!write.ok) return write;
  const { consentAt, consentIp, suppress: reason, email } = row;
  return accept({
    ...write.value,
    suppress:
      reason === null ? write.value.suppress : { addresses: [email], reason, source: FROM_IMPORT.source },
    consentEntry:
      consentAt === null
        ? write.value.consentEntry
        : {
            ...FROM_IMPORT,
            action: "GIVEN" as const,
            at: consentAt,
            clientAddress: consentIp,
            isOnce: true,
          },
  });
}

/** The same where the row cannot be written, such as with too many attributes: an opt-out is not lost because of them. */
export function planOptOut(found: FoundContact, row: ImportRow, at: Instant): Result<ContactWrite> {
  return planned(found, optOutOf(found.contact, row), at);
}

/** Only the opt-out of the row; its other fields are ignored. */
const optOutOf = (contact: Contact | null, row: ImportRow): PlannedRow => ({
  ...row,
  firstName: undefined,
  lastName: undefined,
  tags: contact?.tags ?? [],
  attributes: undefined,
  consentAt: null,
});

function unchanged(contact: Contact, at: Instant): ContactWrite {
  const { email, firstName, lastName, tags, status, attributes } = contact;
  return fieldsOnly({ email, firstName, lastName, tags, status, attributes }, at);
}

/** What happened to a row that was written. */
export type RowOutcome = "created" | "updated" | "skipped";

/**
 * `skipped`: passed over; or the row would have made the person mailable, but they have opted out or bounced
 * before. They keep that status and join no list. Their names and tags are still updated, as by a POST.
 */
export function rowOutcome(
  row: Pick<ImportRow, "status">,
  { contact, created }: { readonly contact: Contact; readonly created: boolean },
  isPassed: boolean,
): RowOutcome {
  if (isPassed || (isOut(contact.status) && !isOut(row.status))) return "skipped";
  return created ? "created" : "updated";
}
