import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import { accept } from "#core/errors/errors.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Segment } from "#segments/segment.ts";
import type { SegmentStore } from "#segments/store.ts";
import { withParsedRules } from "#storage/common/segments/parsed-rules.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import { segments } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { checkFit } from "./rules-fit.ts";
import { missingOf, namesOf, saveUses, surroundingsOf, usersOf } from "./segment-references.ts";

type SegmentRow = Row<typeof segments, "seq" | "id" | "name" | "rules" | "createdAt" | "updatedAt">;

const SHOWN = {
  seq: segments.seq,
  id: segments.id,
  name: segments.name,
  rules: segments.rules,
  createdAt: segments.createdAt,
  updatedAt: segments.updatedAt,
};

const USERS_SHOWN = 100;

export function segmentStore(database: PostgresDatabase): SegmentStore {
  return { ...reads(database), ...writesOf(database) };
}

const segmentOf = (row: SegmentRow): Segment => shown({ ...row, rules: JSON.parse(row.rules) as JsonValue });

const shown = ({ seq: _seq, ...segment }: Segment & Pick<SegmentRow, "seq">): Segment => segment;

const itself = (workspace: number, id: string): SQL | undefined =>
  and(eq(segments.workspace, workspace), eq(segments.id, id));

async function rowOf({ orm }: Session, workspace: number, id: string): Promise<SegmentRow | null> {
  const [row] = await orm.select(SHOWN).from(segments).where(itself(workspace, id));
  return row ?? null;
}

type Reads = Pick<SegmentStore, "find" | "page" | "users" | "missing" | "names">;

function reads({ read, seqOf }: PostgresDatabase): Reads {
  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const row = await read((session) => rowOf(session, workspace, id));
      return row && segmentOf(row);
    },

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const mine = eq(segments.workspace, workspace);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select(SHOWN)
            .from(segments)
            .where(before === null ? mine : and(mine, lt(segments.seq, before)))
            .orderBy(desc(segments.seq))
            .limit(limit + 1),
          recordCount(session, workspace, "segment"),
        ]),
      );
      return pageOf(await withParsedRules(rows), total, limit, { position: ({ seq }) => seq, item: shown });
    },

    async users(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const row = await rowOf(session, workspace, id);
        return row && (await usersOf(session, row.seq, USERS_SHOWN));
      });
    },

    async missing(workspaceId, references) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => missingOf(session, workspace, references));
    },

    async names(workspaceId, references) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => namesOf(session, workspace, references));
    },
  };
}

type Writes = Pick<SegmentStore, "insert" | "change" | "delete">;

/** Rules over all segments limit their number and forbid circles, so no two segments are written at the same time. */
function writesOf({ write, seqOf }: PostgresDatabase): Writes {
  return {
    async insert(workspaceId, { id, name, rules, createdAt }, references, check) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        await lockWorkspace(tx, workspace);
        const found = await surroundingsOf(tx, workspace, references);
        const checked = check({ ...found, segments: await recordCount(tx, workspace, "segment") });
        if (!checked.ok) return checked;
        await checkFit(tx, workspace, rules);
        const times = { createdAt, updatedAt: createdAt };
        const [row] = await tx.orm
          .insert(segments)
          .values({ id, workspace, name, rules: JSON.stringify(rules), ...times })
          .returning(SHOWN);
        const written = present(row, "segment that was just written");
        await saveUses(tx, workspace, written.seq, references);
        return accept(segmentOf(written));
      });
    },

    async change(workspaceId, id, references, decide, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        await lockWorkspace(tx, workspace);
        const row = await rowOf(tx, workspace, id);
        if (row === null) return null;
        const decided = decide(segmentOf(row), await surroundingsOf(tx, workspace, references ?? []));
        if (!decided.ok) return decided;
        const rules = JSON.stringify(decided.value.rules);
        const { name } = decided.value;
        if (name === row.name && rules === row.rules) return accept(segmentOf(row));
        if (rules !== row.rules) await checkFit(tx, workspace, decided.value.rules);
        const changed = { name, rules, updatedAt: at };
        await tx.orm.update(segments).set(changed).where(eq(segments.seq, row.seq));
        if (references !== null) await saveUses(tx, workspace, row.seq, references);
        return accept(segmentOf({ ...row, ...changed }));
      });
    },

    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        await lockWorkspace(tx, workspace);
        // Waits for a campaign that is about to use it.
        const [row] = await tx.orm
          .select({ seq: segments.seq })
          .from(segments)
          .where(itself(workspace, id))
          .for("update");
        if (row === undefined) return null;
        const [user] = await usersOf(tx, row.seq, 1);
        if (user !== undefined) return user;
        await tx.orm.delete(segments).where(eq(segments.seq, row.seq));
        return "deleted";
      });
    },
  };
}
