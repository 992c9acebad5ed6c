import type { Database } from "bun:sqlite";
import type { RecentConfirmations } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { present } from "#core/present.ts";
import { confirmationLetter } from "#storage/common/ledger/single-letter.ts";
import { singleMessages } from "#storage/sqlite/ledger/single-messages.ts";

/** Confirmation mails on an open transaction: their rows in the ledger, and what is stored about them. */
export function confirmationWrites(sqlite: Database) {
  const recent = sqlite.query<RecentConfirmations, [string, number, string, number, number]>(
    `SELECT count(*) FILTER (WHERE form_id = ?) AS ofForm, count(*) AS ofWorkspace
     FROM confirmations WHERE workspace = ? AND address = ? AND created_at > ? AND created_at <= ?`,
  );
  const addConfirmation = sqlite.query<null, (string | number)[]>(
    "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const { mailingOf, queue } = singleMessages(sqlite);

  return {
    recent: (workspace: number, { formId, email, cap }: Signup): RecentConfirmations =>
      present(recent.get(formId, workspace, email, cap.since, cap.until), "count of confirmations"),

    /** Queues a confirmation for the person who signed up. `contact` is null if there is no contact yet. */
    queue(
      { workspace, contact, returns }: { workspace: number; contact: number | null; returns: boolean },
      { formId, email, at }: Signup,
      letter: NonNullable<Signup["letter"]>,
    ): void {
      const { seq: mailing } = mailingOf(confirmationLetter(workspace, letter, at));
      addConfirmation.run(queue(mailing, contact, email), workspace, formId, email, at, Number(returns));
    },
  };
}
