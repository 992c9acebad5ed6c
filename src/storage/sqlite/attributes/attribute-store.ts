import type { Database } from "bun:sqlite";
import { ATTRIBUTE_TYPES, type AttributeUse } from "#attributes/attribute.ts";
import type { AttributeStore } from "#attributes/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { attributeCounts } from "#storage/sqlite/schema/schema.ts";
import { attributeRemoval } from "./attribute-removal.ts";

export function attributeStore({ sqlite, longWrites }: SqliteDatabase, seqOf: WorkspaceSeq): AttributeStore {
  const counts = sqlite.query<Row<typeof attributeCounts, "name" | "type" | "n">, [number]>(
    "SELECT name, type, n FROM attribute_counts WHERE workspace = ? ORDER BY name",
  );

  return {
    list: async (workspaceId) => {
      const uses = Map.groupBy(counts.all(seqOf(workspaceId)), ({ name }) => name);
      return [...uses].map(([name, rows]): AttributeUse => {
        const types = ATTRIBUTE_TYPES.filter((type) => rows.some((row) => row.type === type));
        return { name, types, contacts: rows.reduce((sum, { n }) => sum + n, 0) };
      });
    },

    remove: async (workspaceId, name) => {
      const workspace = seqOf(workspaceId);
      if (!counts.all(workspace).some((row) => row.name === name)) return false;
      return longWrites.write((connection) => attributeRemoval(connection, workspace, name));
    },
  };
}

/** How many contacts of a workspace have each name. The caller may change the map. */
export function attributeHolders(sqlite: Database): (workspace: number) => Map<string, number> {
  const holders = sqlite.query<Row<typeof attributeCounts, "name"> & { contacts: number }, [number]>(
    "SELECT name, sum(n) AS contacts FROM attribute_counts WHERE workspace = ? GROUP BY name",
  );
  return (workspace) => new Map(holders.all(workspace).map(({ name, contacts }) => [name, contacts]));
}
