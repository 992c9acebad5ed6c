import type { Database } from "bun:sqlite";
import type { Signup } from "#forms/store.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";
import { outboxWrites } from "./outbox-writes.ts";

/** Writes the webhook messages about a form that was submitted and accepted, in the same transaction. */
export function submissionOutbox(sqlite: Database) {
  const newOutbox = outboxWrites(sqlite);
  const contactOf = sqlite.query<Row<typeof contacts, "id">, [number, string]>(
    "SELECT id FROM contacts WHERE workspace = ? AND email = ?",
  );
  return (workspace: number, { formId, email, at }: Pick<Signup, "formId" | "email" | "at">): void => {
    const outbox = newOutbox();
    outbox.add(workspace, "form.submitted", at, () =>
      JSON.stringify({ formId, email, contactId: contactOf.get(workspace, email)?.id ?? null }),
    );
    outbox.book();
  };
}
