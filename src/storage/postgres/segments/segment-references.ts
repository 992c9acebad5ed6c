import type { Reference, Surroundings } from "#segments/references.ts";
import type { SegmentUser } from "#segments/store.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

const KINDS = ["list", "segment", "campaign"] as const;

const NAMES = `SELECT id, name FROM lists WHERE workspace = $1 AND id = ANY($2::text[])
  UNION ALL SELECT id, name FROM segments WHERE workspace = $1 AND id = ANY($3::text[])
  UNION ALL SELECT id, name FROM campaigns WHERE workspace = $1 AND id = ANY($4::text[])`;

/** The names of things that rules name and that the workspace has, by id. */
export async function namesOf(
  { rows }: Session,
  workspace: number,
  references: readonly Reference[],
): Promise<Map<string, string>> {
  if (references.length === 0) return new Map();
  const found = await rows<{ id: string; name: string }>(NAMES, [
    workspace,
    ...KINDS.map((kind) => idsOf(kind, references)),
  ]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

const idsOf = (kind: Reference["kind"], references: readonly Reference[]): string[] =>
  references.filter((each) => each.kind === kind).map(({ id }) => id);

/** Those of the references that the workspace does not have. */
export async function missingOf(
  session: Session,
  workspace: number,
  references: readonly Reference[],
): Promise<Reference[]> {
  const there = await namesOf(session, workspace, references);
  return references.filter(({ id }) => !there.has(id));
}

const EDGES = `SELECT s.id AS segment, t.id AS used FROM segments AS s JOIN segment_uses AS u ON u.segment = s.seq
  JOIN segments AS t ON t.seq = u.used WHERE s.workspace = $1`;

/** `uses` is empty if none of the references is a segment. */
export async function surroundingsOf(
  session: Session,
  workspace: number,
  references: readonly Reference[],
): Promise<Surroundings> {
  const missing = await missingOf(session, workspace, references);
  if (!references.some(({ kind }) => kind === "segment")) return { missing, uses: new Map() };
  const edges = await session.rows<{ segment: string; used: string }>(EDGES, [workspace]);
  const grouped = Map.groupBy(edges, ({ segment }) => segment);
  return {
    missing,
    uses: new Map([...grouped].map(([segment, rows]) => [segment, rows.map(({ used }) => used)])),
  };
}

/** Writes which segments a segment refers to, in place of what was written before. */
export async function saveUses(
  tx: Session,
  workspace: number,
  segment: number,
  references: readonly Reference[],
): Promise<void> {
  await tx.run("DELETE FROM segment_uses WHERE segment = $1", [segment]);
  await tx.run(
    "INSERT INTO segment_uses (segment, used) SELECT $1, seq FROM segments WHERE workspace = $2 AND id = ANY($3::text[])",
    [segment, workspace, idsOf("segment", references)],
  );
}

const USERS = `SELECT kind, id, name FROM (
    SELECT 'segment' AS kind, s.id, s.name, s.seq FROM segment_uses AS u JOIN segments AS s ON s.seq = u.segment
    WHERE u.used = $1
    UNION ALL SELECT 'campaign', c.id, c.name, c.seq FROM campaign_segments AS u JOIN campaigns AS c ON c.seq = u.campaign
    WHERE u.segment = $1 AND c.status <> 'SENT') AS users
  ORDER BY kind DESC, seq LIMIT $2`;

/** The segments that refer to a segment, then the campaigns not yet SENT that do; the oldest first. */
export const usersOf = ({ rows }: Session, segment: number, limit: number): Promise<SegmentUser[]> =>
  rows<SegmentUser>(USERS, [segment, limit]);
