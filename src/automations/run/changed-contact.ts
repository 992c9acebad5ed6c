import type { Contact } from "#contacts/contact.ts";
import type { ContactChange } from "./step-outcome.ts";

/** The contact after a change, without another look. Null: what it makes of them is decided where it is written. */
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
