import type { NodeStore } from "#nodes/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { DATABASE_NOW } from "#storage/postgres/ledger/nodes/registry.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { nodeBeats, nodes } from "#storage/postgres/schema/schema.ts";

type NodeRow = Row<typeof nodes, "id" | "name" | "version" | "startedAt"> &
  Row<typeof nodeBeats, "until"> & { readonly isLive: boolean; readonly slices: number };

const SHOWN = `SELECT n.id, n.name, n.version, n.started_at, b.until,
    n.fenced_at IS NULL AND b.until >= ${DATABASE_NOW} AS is_live,
    (SELECT count(*) FROM slices AS s WHERE s.node = n.id AND NOT s.done) AS slices
  FROM nodes AS n JOIN node_beats AS b ON b.node = n.id
  WHERE n.fenced_at IS NULL OR n.fenced_at > $1 ORDER BY n.id DESC LIMIT $2`;

/** The nodes, as shown to people. */
export const nodeStore = (
  { read }: Pick<PostgresDatabase, "read">,
  own: Pick<OwnNode, "number" | "leaseMs">,
): NodeStore => ({
  async list(endedAfter, countMax) {
    const found = await read(({ rows }) => rows<NodeRow>(SHOWN, [endedAfter, countMax]));
    return found.map(({ id, until, ...node }) => ({
      ...node,
      number: id,
      lastSeenAt: until - own.leaseMs,
      isOwn: id === own.number,
    }));
  },
});
