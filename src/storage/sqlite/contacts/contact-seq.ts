import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/**
 * The row number of a contact; null if the workspace has no such contact. Raw SQL, because every event needs
 * it, and Drizzle is slower.
 */
export const contactSeq = oncePerDatabase((sqlite): ((workspace: number, id: string) => number | null) => {
  const find = sqlite.query<Row<typeof contacts, "seq">, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND id = ?",
  );
  return (workspace, id) => find.get(workspace, id)?.seq ?? null;
});
