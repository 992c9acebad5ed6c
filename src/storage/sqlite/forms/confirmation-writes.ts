import type { Database } from "bun:sqlite";
import type { ConfirmationContent, RecentConfirmations } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

type Letter = { readonly sourceId: string; readonly content: ConfirmationContent };

/** Confirmation mails on an open transaction: their rows in the ledger, and what is stored about them. */
export function confirmationWrites(sqlite: Database) {
  const recent = sqlite.query<RecentConfirmations, [string, number, string, number]>(
    `SELECT count(*) FILTER (WHERE form_id = ?) AS ofForm, count(*) AS ofWorkspace
     FROM confirmations WHERE workspace = ? AND address = ? AND created_at > ?`,
  );
  // `:` is followed by `;` in ASCII. So the range has the source itself and the mailings that were made in addition
  // to a held one.
  const findMailing = sqlite.query<Row<typeof mailings, "seq">, [string, string]>(
    `SELECT seq FROM mailings WHERE kind = 'confirmation' AND source_id >= ? AND source_id < ? AND held = 0 AND phase = 'sending'`,
  );
  const addMailing = sqlite.query<Row<typeof mailings, "seq">, (string | number)[]>(
    `INSERT INTO mailings (workspace, kind, source_id, phase, created_at, started_at)
     VALUES (?1, 'confirmation', iif((SELECT count(*) FROM mailings WHERE kind = 'confirmation' AND source_id = ?2) = 0, ?2, ?2 || ':' || ?3),
       'sending', ?3, ?3) RETURNING seq`,
  );
  const addContent = sqlite.query<null, [number, string]>("INSERT INTO mailing_contents VALUES (?, ?)");
  const addDelivery = sqlite.query<Row<typeof deliveries, "seq">, [number, number | null, string]>(
    `INSERT INTO deliveries (mailing, contact, address, visit, state)
     SELECT ?1, ?2, ?3, (SELECT count(*) FROM deliveries WHERE mailing = ?1 AND address = ?3), 'queued' RETURNING seq`,
  );
  const countDelivery = sqlite.query<null, [number]>(
    "UPDATE mailings SET planned = planned + 1, queued = queued + 1 WHERE seq = ?",
  );
  const addConfirmation = sqlite.query<null, (string | number)[]>(
    "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns) VALUES (?, ?, ?, ?, ?, ?)",
  );

  /**
   * A mailing that has been held since a backup was restored keeps only what was queued then. Later sign-ups get a
   * mailing of their own.
   */
  const mailingOf = (workspace: number, { sourceId, content }: Letter, at: number): number => {
    const known = findMailing.get(sourceId, `${sourceId};`);
    if (known !== null) return known.seq;
    const { seq } = present(addMailing.get(workspace, sourceId, at), "mailing that was just made");
    addContent.run(seq, JSON.stringify(content));
    return seq;
  };

  return {
    recent: (workspace: number, { formId, email, capSince }: Signup): RecentConfirmations =>
      present(recent.get(formId, workspace, email, capSince), "count of confirmations"),

    /** Queues a confirmation for the person who signed up. `contact` is null if there is no contact yet. */
    queue(
      { workspace, contact, returns }: { workspace: number; contact: number | null; returns: boolean },
      { formId, email, at }: Signup,
      letter: Letter,
    ): void {
      const mailing = mailingOf(workspace, letter, at);
      const { seq } = present(addDelivery.get(mailing, contact, email), "message that was just made");
      countDelivery.run(mailing);
      addConfirmation.run(seq, workspace, formId, email, at, Number(returns));
    },
  };
}
