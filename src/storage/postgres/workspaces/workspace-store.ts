import { and, asc, eq, ne } from "drizzle-orm";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Revisions } from "#storage/postgres/engine/revisions.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { listCount } from "#storage/postgres/lists/hidden-lists.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import { apiKeys, settings, workspaces, type contactCounts } from "#storage/postgres/schema/schema.ts";
import {
  DEFAULT_SETTINGS,
  formatSetting,
  settingsFromRows,
  SETTING_KEYS,
  type Settings,
} from "#workspaces/settings/settings.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { lockWorkspace } from "./lock-workspace.ts";
import { keepEndedHold } from "./ended-holds.ts";
import { recordCount } from "./record-count.ts";

const SETTING = [settings.workspace, settings.key];

export function workspaceStore(database: PostgresDatabase, revisions: Revisions): WorkspaceStore {
  const { read, write, seqOf } = database;

  return {
    list: () =>
      read(({ orm }) =>
        orm
          .select({ id: workspaces.id, createdAt: workspaces.createdAt })
          .from(workspaces)
          .orderBy(asc(workspaces.seq)),
      ),

    create: (workspace, initial, key) =>
      revisions.changing(() =>
        write(async (tx) => {
          const [made] = await tx.orm.insert(workspaces).values(workspace).returning({ seq: workspaces.seq });
          const { seq } = present(made, "new workspace");
          await writeSettings(tx, seq, initial);
          await tx.orm.insert(apiKeys).values({ ...key, workspace: seq });
        }),
      ),

    async settings(workspaceId) {
      const workspace = await seqOf(workspaceId);
      return settingsFromRows(await read((session) => settingRows(session, workspace)));
    },

    holders: (key) =>
      read(({ orm }) =>
        orm
          .select({ workspaceId: workspaces.id, value: settings.value })
          .from(settings)
          .innerJoin(workspaces, eq(workspaces.seq, settings.workspace))
          .where(and(eq(settings.key, key), ne(settings.value, "")))
          .orderBy(asc(workspaces.seq)),
      ),

    async changeSettings(workspaceId, plan, endedHold) {
      const workspace = await seqOf(workspaceId);
      return await revisions.changing(() =>
        write(async (tx) => {
          // Changes of a workspace's settings run one after the other: each sees what the one before has written.
          await lockWorkspace(tx, workspace);
          const stored = await settingRows(tx, workspace);
          const planned = plan(() => settingsFromRows(stored));
          if (!planned.ok) return planned;
          const ended = endedHold?.(() => settingsFromRows(stored), planned.value) ?? null;
          if (ended !== null) await keepEndedHold(tx, workspace, ended);
          await writeSettings(tx, workspace, planned.value);
          return planned;
        }),
      );
    },

    revision: revisions.current,

    counts: (workspaceId) => counts(database, workspaceId),
  };
}

const settingRows = ({ orm }: Session, workspace: number) =>
  orm
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(eq(settings.workspace, workspace));

/** An unchanged value is no change, so the audit log does not record it. */
async function writeSettings({ orm }: Session, workspace: number, change: Partial<Settings>): Promise<void> {
  const changed = { ...DEFAULT_SETTINGS, ...change };
  for (const key of SETTING_KEYS) {
    if (change[key] === undefined) continue;
    const value = formatSetting(changed, key);
    await orm
      .insert(settings)
      .values({ workspace, key, value })
      .onConflictDoUpdate({ target: SETTING, set: { value }, setWhere: ne(settings.value, value) });
  }
}

type StatusCount = Row<typeof contactCounts, "status" | "n">;

const BY_STATUS = `SELECT status, sum(n)::int8 AS n FROM contact_counts
  WHERE workspace = $1 AND tag = '' GROUP BY status`;

async function counts(
  { read, seqOf }: PostgresDatabase,
  workspaceId: string,
): ReturnType<WorkspaceStore["counts"]> {
  const workspace = await seqOf(workspaceId);
  const [byStatus, lists, campaigns] = await read((session) =>
    Promise.all([
      session.rows<StatusCount>(BY_STATUS, [workspace]),
      listCount(session, workspace),
      recordCount(session, workspace, "campaign"),
    ]),
  );
  const contacts = { PENDING: 0, SUBSCRIBED: 0, UNSUBSCRIBED: 0, BOUNCED: 0 };
  for (const { status, n } of byStatus) contacts[status] = n;
  return { contacts, lists, campaigns };
}
