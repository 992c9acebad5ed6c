import { and, eq, ne, sql } from "drizzle-orm";
import {
  DEFAULT_SETTINGS,
  formatSetting,
  settingsFromRows,
  SETTING_KEYS,
  type Settings,
} from "#workspaces/settings/settings.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { revisionsOf } from "#storage/sqlite/engine/revisions.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { endedHoldRows } from "./ended-holds.ts";
import { recordCount } from "./record-count.ts";
import { contactCounts } from "#storage/sqlite/schema/tables/contacts.ts";
import { apiKeys, settings, workspaces } from "#storage/sqlite/schema/tables/workspaces.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

const SETTING = [settings.workspace, settings.key];

export function workspaceStore(database: SqliteDatabase, seqOf: WorkspaceSeq): WorkspaceStore {
  const { orm, sqlite, writes } = database;
  const { list, settingRows, holders } = readsOf(orm);
  const revisions = revisionsOf(sqlite);
  const holds = endedHoldRows(sqlite);

  // An unchanged value is no change, so the audit log does not record it.
  const writeSettings = (workspace: number, change: Partial<Settings>): void => {
    const changed = { ...DEFAULT_SETTINGS, ...change };
    for (const key of SETTING_KEYS) {
      if (change[key] === undefined) continue;
      const value = formatSetting(changed, key);
      orm
        .insert(settings)
        .values({ workspace, key, value })
        .onConflictDoUpdate({ target: SETTING, set: { value }, setWhere: ne(settings.value, value) })
        .run();
    }
  };

  return {
    list: async () => list.all(),

    create: (workspace, initial, key) =>
      writes.write(() => {
        const { seq } = orm.insert(workspaces).values(workspace).returning({ seq: workspaces.seq }).get();
        revisions.bump();
        writeSettings(seq, initial);
        orm
          .insert(apiKeys)
          .values({ ...key, hash: Buffer.from(key.hash), workspace: seq })
          .run();
      }),

    settings: async (workspaceId) => settingsFromRows(settingRows.all({ workspace: seqOf(workspaceId) })),

    holders: async (key) => holders.all({ key }),

    changeSettings: (workspaceId, plan, endedHold) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const stored = (): Settings => settingsFromRows(settingRows.all({ workspace }));
        const planned = plan(stored);
        if (!planned.ok) return planned;
        const ended = endedHold?.(stored, planned.value) ?? null;
        if (ended !== null) holds.keep(workspace, ended);
        revisions.bump();
        writeSettings(workspace, planned.value);
        return planned;
      }),

    revision: revisions.current,

    counts: counting(database, seqOf),
  };
}

function readsOf(orm: SqliteDatabase["orm"]) {
  const list = orm
    .select({ id: workspaces.id, createdAt: workspaces.createdAt })
    .from(workspaces)
    .orderBy(workspaces.seq)
    .prepare();
  const settingRows = orm
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(eq(settings.workspace, sql.placeholder("workspace")))
    .prepare();

  const holders = orm
    .select({ workspaceId: workspaces.id, value: settings.value })
    .from(settings)
    .innerJoin(workspaces, eq(workspaces.seq, settings.workspace))
    .where(and(eq(settings.key, sql.placeholder("key")), ne(settings.value, "")))
    .orderBy(workspaces.seq)
    .prepare();

  return { list, settingRows, holders };
}

function counting(database: SqliteDatabase, seqOf: WorkspaceSeq): WorkspaceStore["counts"] {
  const byStatus = database.orm
    .select({ status: contactCounts.status, n: contactCounts.n })
    .from(contactCounts)
    .where(and(eq(contactCounts.workspace, sql.placeholder("workspace")), eq(contactCounts.tag, "")))
    .prepare();
  const recordsOf = recordCount(database);

  return async (workspaceId) => {
    const workspace = seqOf(workspaceId);
    const contacts = { PENDING: 0, SUBSCRIBED: 0, UNSUBSCRIBED: 0, BOUNCED: 0 };
    for (const { status, n } of byStatus.all({ workspace })) contacts[status] = n;
    return { contacts, lists: recordsOf(workspace, "list"), campaigns: recordsOf(workspace, "campaign") };
  };
}
