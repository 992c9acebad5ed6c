import { foldedApart } from "#storage/common/contacts/folded-attributes.ts";
import type { AttributeWrite } from "#storage/common/attributes/attribute-write.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

const PUT = `INSERT INTO contact_attributes (contact, workspace, attributes, folded)
  SELECT w.contact, $1, w.attributes::jsonb, w.folded::jsonb
  FROM unnest($2::int8[], $3::text[], $4::text[]) AS w (contact, attributes, folded)
  ON CONFLICT (contact) DO UPDATE SET attributes = excluded.attributes, folded = excluded.folded`;

/**
 * Writes the attributes of contacts, on an open transaction that has locked them. Each contact at most once.
 * Triggers count how many contacts have each name.
 */
export async function writeAttributes(
  tx: Session,
  workspace: number,
  writes: readonly AttributeWrite[],
): Promise<void> {
  const written = writes
    .map(({ contact, before, after }) => ({ contact, after, before, json: JSON.stringify(after) }))
    .filter(({ before, json }) => json !== JSON.stringify(before));
  const emptied = written.filter(({ json }) => json === "{}").map(({ contact }) => contact);
  if (emptied.length > 0)
    await tx.run("DELETE FROM contact_attributes WHERE contact = ANY($1::int8[])", [emptied]);
  const put = written.filter(({ json }) => json !== "{}");
  if (put.length === 0) return;
  await tx.run(PUT, [
    workspace,
    put.map(({ contact }) => contact),
    put.map(({ json }) => json),
    put.map(({ after, json }) => foldedApart(after, json)),
  ]);
}
