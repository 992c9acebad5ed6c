import { parseAttributes, type AttributeChange } from "#attributes/attribute-input.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { absent, clear, set, type Patch } from "#core/request/patch.ts";
import { parseNameText } from "#core/text/name-text.ts";
import { ifSent } from "#core/request/sent.ts";
import type { ContactChangeBody, NewContactBody } from "./schema.ts";
import { isContactStatus, type Consent, type ContactStatus } from "./contact.ts";
import { parseTags } from "./tags.ts";

/**
 * What POST /contacts asks for. An undefined name leaves an existing contact's name as it is; tags always
 * replace; attributes are merged.
 */
export type NewContact = {
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly tags: readonly string[];
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
  readonly attributes: AttributeChange | undefined;
};

/** What PATCH /contacts/{id} asks for. Undefined means "not sent". */
export type ContactChange = {
  readonly email: string | undefined;
  readonly firstName: Patch<string>;
  readonly lastName: Patch<string>;
  readonly tags: readonly string[] | undefined;
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
  readonly attributes: AttributeChange | undefined;
};

/**
 * Reads the body of POST /contacts (docs/contract.md "Contacts"). An unrecognized `status`, of any type and
 * case, becomes SUBSCRIBED and counts as sent.
 */
export function parseNewContact(body: NewContactBody): Result<NewContact> {
  const email = parseEmailAddress(body.email);
  if (!email.ok) return email;
  const firstName = parseNameText("firstName", body.firstName ?? "");
  if (!firstName.ok) return firstName;
  const lastName = parseNameText("lastName", body.lastName ?? "");
  if (!lastName.ok) return lastName;
  const tags = parseTags(body.tags ?? []);
  if (!tags.ok) return tags;
  const consent = parseConsent(body.consent);
  if (!consent.ok) return consent;
  const attributes = ifSent(body.attributes ?? undefined, parseAttributes);
  if (!attributes.ok) return attributes;
  const status = body.status ?? undefined;
  return accept({
    email: email.value,
    firstName: firstName.value || undefined,
    lastName: lastName.value || undefined,
    tags: tags.value,
    status: status === undefined || isContactStatus(status) ? status : "SUBSCRIBED",
    consent: consent.value,
    attributes: attributes.value,
  });
}

/**
 * Reads the body of PATCH /contacts/{id} (docs/contract.md "Contacts"). The body may be empty; `""` and
 * `null` clear a name.
 */
export function parseContactChange(body: ContactChangeBody): Result<ContactChange> {
  const email = ifSent(body.email, parseEmailAddress);
  if (!email.ok) return email;
  const firstName = parseNamePatch("firstName", body.firstName);
  if (!firstName.ok) return firstName;
  const lastName = parseNamePatch("lastName", body.lastName);
  if (!lastName.ok) return lastName;
  const tags = ifSent(body.tags, parseTags);
  if (!tags.ok) return tags;
  const status = ifSent(body.status, parseStatus);
  if (!status.ok) return status;
  const consent = parseConsent(body.consent);
  if (!consent.ok) return consent;
  const attributes = ifSent(body.attributes ?? undefined, parseAttributes);
  if (!attributes.ok) return attributes;
  return accept({
    email: email.value,
    firstName: firstName.value,
    lastName: lastName.value,
    tags: tags.value,
    status: status.value,
    consent: consent.value,
    attributes: attributes.value,
  });
}

type NameField = "firstName" | "lastName";

function parseNamePatch(field: NameField, value: unknown): Result<Patch<string>> {
  if (value === undefined) return accept(absent);
  const name = parseNameText(field, value ?? "");
  if (!name.ok) return name;
  return accept(name.value === "" ? clear : set(name.value));
}

export function parseStatus(value: string): Result<ContactStatus> {
  return isContactStatus(value)
    ? accept(value)
    : invalid("`status` must be PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.");
}

function parseConsent(value: string | undefined): Result<Consent | undefined> {
  if (value === undefined || value === "explicit" || value === "declined") return accept(value);
  return invalid(
    "`consent` must be `explicit` or `declined`. Leave it out where the person themselves said neither.",
  );
}
