import { ATTRIBUTE_TYPES, type AttributeUse } from "#attributes/attribute.ts";
import type { AttributeStore } from "#attributes/store.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { attributeCounts } from "#storage/postgres/schema/schema.ts";

const USES = `SELECT name, type, sum(n)::int8 AS n FROM attribute_counts WHERE workspace = $1
  GROUP BY name, type HAVING sum(n) <> 0 ORDER BY name`;
const HOLDERS = `SELECT name, sum(n)::int8 AS n FROM attribute_counts WHERE workspace = $1
  GROUP BY name HAVING sum(n) <> 0`;

/** How many contacts are looked through at a time: mail to those who have the attribute waits for one transaction. */
const CONTACTS_AT_ONCE = 2_000;
const NEXT = `SELECT max(seq) AS through, count(*) FILTER (WHERE has) AS holders FROM (
    SELECT c.seq, a.attributes ? $3::text AS has FROM contacts AS c LEFT JOIN contact_attributes AS a ON a.contact = c.seq
    WHERE c.workspace = $1 AND c.seq > $2 ORDER BY c.seq LIMIT ${CONTACTS_AT_ONCE}) AS next`;
/** Numbers of contacts are shared by all workspaces, so a stretch of them may hold many contacts of others. */
const IN_STRETCH =
  "contact = ANY(ARRAY(SELECT seq FROM contacts WHERE workspace = $1 AND seq > $2 AND seq <= $3))";
// To change a contact, lock it before reading its attributes: so nobody writes back what is removed here.
const HOLD = `SELECT FROM contacts WHERE seq IN (SELECT contact FROM contact_attributes WHERE ${IN_STRETCH} AND attributes ? $4)
  ORDER BY seq FOR NO KEY UPDATE`;
const TAKE_OFF = `UPDATE contact_attributes SET attributes = attributes - $4::text, folded = nullif(folded - $4::text, '{}')
  WHERE ${IN_STRETCH} AND attributes ? $4::text`;
const REMOVE_EMPTY = `DELETE FROM contact_attributes WHERE ${IN_STRETCH} AND attributes = '{}'`;

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
      if (!(await read((session) => attributeHolders(session, workspace))).has(name)) return false;
      let taken = 0;
      for (let after = 0; ;) {
        const next = await read(({ row }) => row<Next>(NEXT, [workspace, after, name]));
        const { through, holders } = present(next, "next contacts");
        if (through === null) return taken > 0;
        const stretch = [workspace, after, through] as const;
        if (holders > 0) taken += await write((tx) => takeOff(tx, stretch, name));
        after = through;
      }
    },
  };
}

type Next = { readonly through: number | null; readonly holders: number };
type Stretch = readonly [workspace: number, after: number, through: number];

async function takeOff(tx: Session, stretch: Stretch, name: string): Promise<number> {
  await tx.run(HOLD, [...stretch, name]);
  const taken = await tx.run(TAKE_OFF, [...stretch, name]);
  if (taken > 0) await tx.run(REMOVE_EMPTY, stretch);
  return taken;
}

/** How many contacts of a workspace have each name. The caller may change the map. */
export async function attributeHolders(session: Session, workspace: number): Promise<Map<string, number>> {
  const rows = await session.rows<Row<typeof attributeCounts, "name" | "n">>(HOLDERS, [workspace]);
  return new Map(rows.map(({ name, n }) => [name, n]));
}
