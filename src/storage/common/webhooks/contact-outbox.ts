/** What webhooks send about contacts. */
import type { Contact, ContactStatus } from "#contacts/contact.ts";
import { shownContact } from "#contacts/shown-contact.ts";
import { asksFor, type EventType } from "#webhooks/event-type.ts";

/** A contact before and after a change. */
export type ContactChange = { readonly before: Contact; readonly after: Contact; readonly at: number };
export type StatusChange = {
  readonly before: ContactStatus;
  readonly after: ContactStatus;
  readonly at: number;
};

type ContactEvent = Extract<EventType, `contact.${string}`>;

export const factsOfNew = (status: ContactStatus): ContactEvent[] =>
  status === "SUBSCRIBED" ? ["contact.created", "contact.subscribed"] : ["contact.created"];

/** The events for a contact that was written, with another status or the same. */
export function factsOfChange(before: ContactStatus, after: ContactStatus): ContactEvent[] {
  if (before !== after && after === "SUBSCRIBED") return ["contact.updated", "contact.subscribed"];
  if (before !== after && after === "UNSUBSCRIBED") return ["contact.updated", "contact.unsubscribed"];
  return ["contact.updated"];
}

const WRITES: readonly (readonly ContactEvent[])[] = [
  factsOfNew("SUBSCRIBED"),
  factsOfChange("UNSUBSCRIBED", "SUBSCRIBED"),
  factsOfChange("SUBSCRIBED", "UNSUBSCRIBED"),
];

/** How many messages a contact that is written makes at most, for webhooks that ask for these events. */
export const messagesOfWrite = (webhooks: readonly (readonly string[])[]): number => {
  const askingFor = (type: ContactEvent): number => webhooks.filter((events) => asksFor(events, type)).length;
  return Math.max(...WRITES.map((facts) => facts.reduce((sum, type) => sum + askingFor(type), 0)));
};

/** JSON, as webhooks send it. */
export const contactData = (contact: Contact): string => JSON.stringify({ contact: shownContact(contact) });

/** If true, no webhook message is written. */
export const isSameContact = (before: Contact, after: Contact): boolean =>
  contactData(before) === contactData(after) &&
  JSON.stringify(before.attributes) === JSON.stringify(after.attributes);
