import { ATTRIBUTE_TYPES, type AttributeUse } from "#attributes/attribute.ts";
import type { AttributeStore } from "#attributes/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { attributeCounts } from "#storage/postgres/schema/schema.ts";

const USES = `SELECT name, type, sum(n)::int8 AS n FROM attribute_counts WHERE workspace = $1
  GROUP BY name, type HAVING sum(n) <> 0 ORDER BY name`;
const HOLDERS = `SELECT name, sum(n)::int8 AS n FROM attribute_counts WHERE workspace = $1
  GROUP BY name HAVING sum(n) <> 0`;

// To change a contact, lock it before reading its attributes: so nobody writes back what is removed here.
const HOLD = `SELECT FROM contacts WHERE seq IN
    (SELECT contact FROM contact_attributes WHERE workspace = $1 AND attributes ? $2)
  ORDER BY seq FOR NO KEY UPDATE`;
const TAKE_OFF = `UPDATE contact_attributes SET attributes = attributes - $2::text, folded = nullif(folded - $2::text, '{}')
  WHERE workspace = $1 AND attributes ? $2::text`;
const REMOVE_EMPTY = "DELETE FROM contact_attributes WHERE workspace = $1 AND attributes = '{}'";

export function attributeStore({ read, write, seqOf }: PostgresDatabase): AttributeStore {
  return {
    async list(workspaceId) {
      const workspace = await seqOf(workspaceId);
      const rows = await read((session) =>
        session.rows<Row<typeof attributeCounts, "name" | "type" | "n">>(USES, [workspace]),
      );
      return [...Map.groupBy(rows, ({ name }) => name)].map(([name, uses]): AttributeUse => {
        const types = ATTRIBUTE_TYPES.filter((type) => uses.some((use) => use.type === type));
        return { name, types, contacts: uses.reduce((sum, { n }) => sum + n, 0) };
      });
    },

    async remove(workspaceId, name) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        await tx.run(HOLD, [workspace, name]);
        const taken = await tx.run(TAKE_OFF, [workspace, name]);
        if (taken > 0) await tx.run(REMOVE_EMPTY, [workspace]);
        return taken > 0;
      });
    },
  };
}

/** How many contacts of a workspace have each name. The caller may change the map. */
export async function attributeHolders(session: Session, workspace: number): Promise<Map<string, number>> {
  const rows = await session.rows<Row<typeof attributeCounts, "name" | "n">>(HOLDERS, [workspace]);
  return new Map(rows.map(({ name, n }) => [name, n]));
}
