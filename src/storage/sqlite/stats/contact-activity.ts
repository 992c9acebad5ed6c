import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import type { Counted } from "#stats/figures.ts";
import { isEnteredComplaint } from "#suppression/reason.ts";
import { activityWrites } from "./activity-writes.ts";
import { WENT } from "#storage/common/ledger/states-in-sql.ts";
import type { Suppressed } from "#storage/common/stats/suppressed.ts";

/** Counts what happens to contacts and their addresses, in the transaction that writes it. */
export const contactActivity = oncePerDatabase((sqlite) => {
  const newActivity = activityWrites(sqlite);
  const count = (workspace: number, times: readonly number[], figure: Counted): void => {
    const activity = newActivity();
    for (const at of times) activity.add(workspace, at, figure);
    activity.book();
  };

  // Single mail also goes to people who are no contacts.
  const mailed = sqlite.query<object, [number, string]>(
    `SELECT 1 FROM contacts AS c CROSS JOIN deliveries AS d ON d.contact = c.seq
     WHERE c.workspace = ?1 AND c.email = ?2 AND d.state IN ${WENT}
     UNION ALL
     SELECT 1 FROM messages AS x CROSS JOIN deliveries AS d ON d.seq = x.delivery
     WHERE x.workspace = ?1 AND x.address = ?2 AND d.state IN ${WENT} LIMIT 1`,
  );

  return {
    /** New contacts, by the times at which they were created. */
    made: (workspace: number, times: readonly number[]): void => count(workspace, times, "newContacts"),

    /** An existing contact now has this status. */
    changed(workspace: number, before: ContactStatus, after: ContactStatus, at: number): void {
      if (after === "UNSUBSCRIBED" && before !== after) count(workspace, [at], "unsubscribed");
    },

    /** An address is suppressed, or its reason changed. */
    suppressed(workspace: number, entry: Suppressed, at: number): void {
      if (entry.reason !== "COMPLAINT") return;
      count(workspace, [at], "complained");
      if (isEnteredComplaint(entry) && mailed.get(workspace, entry.address) === null)
        count(workspace, [at], "complainedElsewhere");
    },
  };
});
