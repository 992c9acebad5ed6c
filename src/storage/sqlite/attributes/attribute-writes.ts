import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { typeOfAttribute, type Attributes, type AttributeType } from "#attributes/attribute.ts";
import { foldedApart } from "#storage/common/contacts/folded-attributes.ts";
import type { AttributeWrite } from "#storage/common/attributes/attribute-write.ts";
import { manyRows } from "#storage/sqlite/engine/writes/bulk-insert.ts";

/**
 * Writes the attributes of contacts, and how many contacts have each name, on an open transaction. Nothing else
 * writes `contact_attributes`, or the counts would be wrong.
 */
export const attributeWrites = oncePerDatabase((sqlite) => {
  const put = manyRows(
    sqlite,
    "(?, ?, jsonb(?), jsonb(?))",
    (rows) =>
      `INSERT INTO contact_attributes (contact, workspace, attributes, folded) VALUES ${rows}
       ON CONFLICT (contact) DO UPDATE SET attributes = excluded.attributes, folded = excluded.folded`,
  );
  // A trigger counts what is deleted.
  const remove = sqlite.query<null, [number]>("DELETE FROM contact_attributes WHERE contact = ?");
  const count = sqlite.query<null, [number, string, string, number]>(
    `INSERT INTO attribute_counts (workspace, name, type, n) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  const dropEmpty = sqlite.query<null, [number]>(
    "DELETE FROM attribute_counts WHERE workspace = ? AND n = 0",
  );

  /** Each contact at most once. */
  return (workspace: number, writes: readonly AttributeWrite[]): void => {
    const changes = new CountChanges();
    const rows: [number, number, string, string | null][] = [];
    for (const { contact, before, after } of writes) {
      const json = JSON.stringify(after);
      if (json === JSON.stringify(before)) continue;
      if (json === "{}") {
        remove.run(contact);
        continue;
      }
      rows.push([contact, workspace, json, foldedApart(after, json)]);
      changes.add(before, -1);
      changes.add(after, 1);
    }
    put(rows, (statement, values) => statement.run(...values));
    for (const [type, names] of changes.byType)
      for (const [name, n] of names) if (n !== 0) count.run(workspace, name, type, n);
    if (changes.hasLosses) dropEmpty.run(workspace);
  };
});

class CountChanges {
  readonly byType = new Map<AttributeType, Map<string, number>>();

  add(attributes: Attributes, n: 1 | -1): void {
    for (const [name, value] of Object.entries(attributes)) {
      const type = typeOfAttribute(value);
      const names = this.byType.get(type) ?? new Map<string, number>();
      this.byType.set(type, names);
      names.set(name, (names.get(name) ?? 0) + n);
    }
  }

  get hasLosses(): boolean {
    return [...this.byType.values()].some((names) => [...names.values()].some((n) => n < 0));
  }
}
