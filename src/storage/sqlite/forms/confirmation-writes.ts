import type { Database } from "bun:sqlite";
import { mailboxOf, type RecentConfirmations } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { present } from "#core/present.ts";
import { confirmationLetter } from "#storage/common/ledger/single-letter.ts";
import { singleMessages } from "#storage/sqlite/ledger/single-messages.ts";

/** Confirmation mails on an open transaction: their rows in the ledger, and what is stored about them. */
export function confirmationWrites(sqlite: Database) {
  const recent = sqlite.query<RecentConfirmations, Record<string, string | number>>(
    `SELECT count(*) FILTER (WHERE address = $email AND form_id = $formId) AS ofForm,
       count(*) FILTER (WHERE address = $email) AS ofWorkspace, count(*) AS ofMailbox
     FROM confirmations WHERE workspace = $workspace AND created_at > $since AND created_at <= $until AND (
       address = $plain OR (address >= $from AND address < $upTo AND substr(address, -length($domain)) = $domain))`,
  );
  const addConfirmation = sqlite.query<null, (string | number)[]>(
    "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const { mailingOf, queue } = singleMessages(sqlite);

  return {
    recent(workspace: number, { formId, email, cap }: Signup): RecentConfirmations {
      const { until: upTo, ...mailbox } = mailboxOf(email);
      const counted = recent.get({ formId, workspace, email, ...cap, ...mailbox, upTo });
      return present(counted, "count of confirmations");
    },

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
