import type { ContactWrite } from "#contacts/contact-plan.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";

/** A contact to add; `fresh` is what only a new one gets. */
export type NewContactWrite = {
  readonly fresh: { readonly id: string; readonly createdAt: Instant };
  readonly write: ContactWrite;
};

/** A row that exists now, and what was to be written. */
export type WrittenContact = {
  readonly contact: Contact;
  readonly seq: number;
  readonly write: ContactWrite;
  readonly before: Contact["attributes"];
};
