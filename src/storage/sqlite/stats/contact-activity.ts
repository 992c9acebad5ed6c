import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import type { Figure } from "#stats/figures.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { activityWrites } from "./activity-writes.ts";

/** Counts what happens to contacts and their addresses, in the transaction that writes it. */
export const contactActivity = oncePerDatabase((sqlite) => {
  const newActivity = activityWrites(sqlite);
  const count = (workspace: number, times: readonly number[], figure: Figure): void => {
    const activity = newActivity();
    for (const at of times) activity.add(workspace, at, figure);
    activity.book();
  };

  return {
    /** New contacts, by the times at which they were created. */
    made: (workspace: number, times: readonly number[]): void => count(workspace, times, "newContacts"),

    /** An existing contact now has this status. */
    changed(workspace: number, before: ContactStatus, after: ContactStatus, at: number): void {
      if (after === "UNSUBSCRIBED" && before !== after) count(workspace, [at], "unsubscribed");
    },

    /** An address is suppressed, or its reason changed. */
    suppressed(workspace: number, reason: SuppressionReason, at: number): void {
      if (reason === "COMPLAINT") count(workspace, [at], "complained");
    },
  };
});
