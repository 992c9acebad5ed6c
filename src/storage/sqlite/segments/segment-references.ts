import type { Database } from "bun:sqlite";
import type { Reference } from "#segments/references.ts";
import type { SegmentUser } from "#segments/store.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { segments } from "#storage/sqlite/schema/schema.ts";

type Named = Row<typeof segments, "id" | "name">;

/** Looks up the ids that rules of segments name. Ids are passed as JSON arrays. */
export function segmentReferences(sqlite: Database) {
  const known = (table: "lists" | "segments" | "campaigns") =>
    sqlite.query<Named, [string, number]>(
      `SELECT t.id, t.name FROM json_each(?) AS wanted CROSS JOIN ${table} AS t ON t.id = wanted.value WHERE t.workspace = ?`,
    );
  const tables = { list: known("lists"), segment: known("segments"), campaign: known("campaigns") };
  const edges = sqlite.query<
    { segment: Value<typeof segments, "id">; used: Value<typeof segments, "id"> },
    [number]
  >(
    `SELECT s.id AS segment, t.id AS used FROM segments AS s CROSS JOIN segment_uses AS u ON u.segment = s.seq
     CROSS JOIN segments AS t ON t.seq = u.used WHERE s.workspace = ?`,
  );
  const forget = sqlite.query<null, [number]>("DELETE FROM segment_uses WHERE segment = ?");
  const remember = sqlite.query<null, [number, number, string]>(
    `INSERT OR IGNORE INTO segment_uses (segment, used)
     SELECT ?1, s.seq FROM json_each(?3) AS wanted CROSS JOIN segments AS s ON s.id = wanted.value WHERE s.workspace = ?2`,
  );
  const users = sqlite.query<Pick<SegmentUser, "kind"> & Named, [number, number]>(
    `SELECT kind, id, name FROM (
       SELECT 'segment' AS kind, s.id, s.name, s.seq FROM segment_uses AS u CROSS JOIN segments AS s ON s.seq = u.segment WHERE u.used = ?1
       UNION ALL
       SELECT 'campaign', c.id, c.name, c.seq FROM campaign_segments AS u CROSS JOIN campaigns AS c ON c.seq = u.campaign
       WHERE u.segment = ?1 AND c.status <> 'SENT') ORDER BY kind DESC, seq LIMIT ?2`,
  );
  const idsOf = (kind: Reference["kind"], references: readonly Reference[]): string =>
    JSON.stringify(references.filter((each) => each.kind === kind).map(({ id }) => id));

  const names = (workspace: number, references: readonly Reference[]): Map<string, string> =>
    new Map(
      (["list", "segment", "campaign"] as const).flatMap((kind) =>
        tables[kind].all(idsOf(kind, references), workspace).map(({ id, name }) => [id, name] as const),
      ),
    );

  return {
    names,

    missing(workspace: number, references: readonly Reference[]): Reference[] {
      if (references.length === 0) return [];
      const there = names(workspace, references);
      return references.filter(({ id }) => !there.has(id));
    },

    /**
     * Which segments each segment of the workspace refers to; empty if none of the references is a segment.
     */
    uses(workspace: number, references: readonly Reference[]): Map<string, string[]> {
      if (!references.some(({ kind }) => kind === "segment")) return new Map();
      const grouped = Map.groupBy(edges.all(workspace), ({ segment }) => segment);
      return new Map([...grouped].map(([segment, rows]) => [segment, rows.map(({ used }) => used)]));
    },

    /** Writes which segments a segment refers to, in place of what was written before. */
    save(workspace: number, segment: number, references: readonly Reference[]): void {
      forget.run(segment);
      remember.run(segment, workspace, idsOf("segment", references));
    },

    /** The segments that refer to a segment, then the campaigns not yet SENT that do; the oldest first. */
    usersOf: (segment: number, limit: number): SegmentUser[] => users.all(segment, limit),
  };
}
