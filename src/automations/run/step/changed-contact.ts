import type { Contact } from "#contacts/contact.ts";
import type { ContactChange } from "./step-outcome.ts";

/** An opt-out. Its effect on the contact is decided where it is written. */
type OptOut = Extract<ContactChange, { readonly kind: "unsubscribe" }>;

/** The contact after a change, without reading it again. Null: the change was an opt-out. */
export function changedContact(contact: Contact, change: Exclude<ContactChange, OptOut>): Contact;
export function changedContact(contact: Contact, change: ContactChange): Contact | null;
export function changedContact(contact: Contact, change: ContactChange): Contact | null {
  switch (change.kind) {
    case "addTag":
      return { ...contact, tags: [...contact.tags, change.tag] };
    case "removeTag":
      return { ...contact, tags: contact.tags.filter((tag) => tag !== change.tag) };
    case "setField":
      return { ...contact, [change.field]: change.value };
    case "setAttribute":
      return { ...contact, attributes: change.attributes };
    case "addToList":
    case "removeFromList":
      return contact;
    case "unsubscribe":
      return null;
  }
}
