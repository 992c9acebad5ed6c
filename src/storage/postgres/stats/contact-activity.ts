import type { ContactStatus } from "#contacts/contact.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { activityWrites } from "./activity-writes.ts";

/** Counts what becomes of contacts and their addresses, on the transaction that writes it. Nothing is written before `book`. */
export function contactActivity(tx: Session, workspace: number) {
  const { add, book } = activityWrites(tx);
  return {
    made: (at: number): void => add(workspace, at, "newContacts"),

    /** A contact that was there already has this status now. */
    changed(before: ContactStatus, after: ContactStatus, at: number): void {
      if (after === "UNSUBSCRIBED" && before !== after) add(workspace, at, "unsubscribed");
    },

    /** An address is suppressed for another reason than before. */
    suppressed(reason: SuppressionReason, at: number): void {
      if (reason === "COMPLAINT") add(workspace, at, "complained");
    },

    book,
  };
}
