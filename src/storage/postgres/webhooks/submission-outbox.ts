import type { Signup } from "#forms/store.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";
import { outboxWrites } from "./outbox-writes.ts";

const CONTACT = "SELECT id FROM contacts WHERE workspace = $1 AND email = $2";

/** Writes the webhook messages about a form that was submitted and accepted, in the same transaction. */
export async function tellOfSubmission(
  tx: Session,
  workspace: number,
  { formId, email, at }: Pick<Signup, "formId" | "email" | "at">,
): Promise<void> {
  const outbox = outboxWrites(tx);
  await outbox.add(workspace, "form.submitted", at, async () => {
    const contact = await tx.row<Row<typeof contacts, "id">>(CONTACT, [workspace, email]);
    return JSON.stringify({ formId, email, contactId: contact?.id ?? null });
  });
  await outbox.book();
}
