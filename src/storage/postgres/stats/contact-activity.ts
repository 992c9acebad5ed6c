import type { ContactStatus } from "#contacts/contact.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { activityWrites } from "./activity-writes.ts";

/** Counts what happens to contacts and their addresses, in the same transaction. Nothing is written before `book`. */
export function contactActivity(tx: Session, workspace: number) {
  const { add, book } = activityWrites(tx);
  return {
    made: (at: number): void => add(workspace, at, "newContacts"),

    /** An existing contact now has this status. */
    changed(before: ContactStatus, after: ContactStatus, at: number): void {
      if (after === "UNSUBSCRIBED" && before !== after) add(workspace, at, "unsubscribed");
    },

    /** An address is suppressed, or its reason changed. */
    suppressed(reason: SuppressionReason, at: number): void {
      if (reason === "COMPLAINT") add(workspace, at, "complained");
    },

    book,
  };
}
