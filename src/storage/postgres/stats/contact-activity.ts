import type { ContactStatus } from "#contacts/contact.ts";
import { isEnteredComplaint } from "#suppression/reason.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { activityWrites } from "./activity-writes.ts";
import { WENT } from "#storage/common/ledger/states-in-sql.ts";
import type { Suppressed } from "#storage/common/stats/suppressed.ts";

// Single mail also goes to people who are no contacts.
const NEVER_MAILED = `SELECT a.at FROM unnest($2::text[], $3::int8[]) AS a (address, at)
  WHERE NOT EXISTS (SELECT FROM contacts AS c JOIN deliveries AS d ON d.contact = c.seq
      WHERE c.workspace = $1 AND c.email = a.address AND d.state IN ${WENT})
    AND NOT EXISTS (SELECT FROM messages AS x JOIN deliveries AS d ON d.seq = x.delivery
      WHERE x.workspace = $1 AND x.address = a.address AND d.state IN ${WENT})`;

/** Counts what happens to contacts and their addresses, in the same transaction. Nothing is written before `book`. */
export function contactActivity(tx: Session, workspace: number) {
  const { add, book } = activityWrites(tx);
  const entered: { readonly address: string; readonly at: number }[] = [];
  return {
    made: (at: number): void => add(workspace, at, "newContacts"),

    /** An existing contact now has this status. */
    changed(before: ContactStatus, after: ContactStatus, at: number): void {
      if (after === "UNSUBSCRIBED" && before !== after) add(workspace, at, "unsubscribed");
    },

    /** An address is suppressed, or its reason changed. */
    suppressed(entry: Suppressed, at: number): void {
      if (entry.reason === "COMPLAINT") add(workspace, at, "complained");
      if (isEnteredComplaint(entry)) entered.push({ address: entry.address, at });
    },

    async book(): Promise<void> {
      if (entered.length > 0) {
        const asked = [entered.map(({ address }) => address), entered.map(({ at }) => at)];
        const elsewhere = await tx.rows<{ at: number }>(NEVER_MAILED, [workspace, ...asked]);
        for (const { at } of elsewhere) add(workspace, at, "complainedElsewhere");
      }
      await book();
    },
  };
}
