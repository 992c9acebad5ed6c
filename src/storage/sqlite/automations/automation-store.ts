import type { AutomationStore } from "#automations/store.ts";
import { accept } from "#core/errors/errors.ts";
import { automationMail } from "./automation-mail.ts";
import { automationReads } from "./automation-reads.ts";
import { automationWrites } from "./automation-writes.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";

export function automationStore(database: SqliteDatabase, seqOf: WorkspaceSeq): AutomationStore {
  const { sqlite, writes } = database;
  const reads = automationReads(sqlite);
  const { insert, change, remove } = automationWrites(sqlite);
  const mail = automationMail(sqlite);

  const found = (workspaceId: string, id: string) => reads.find(seqOf(workspaceId), id);
  /** What is read of an automation; null if the workspace has no such automation. */
  const ofOne = async <T>(workspaceId: string, id: string, read: (seq: number) => T): Promise<T | null> => {
    const row = found(workspaceId, id);
    return row && read(row.seq);
  };

  return {
    insert: (workspaceId, automation) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        insert(workspace, automation);
        return shown(present(reads.find(workspace, automation.id), "automation that was just made"));
      }),

    find: async (workspaceId, id) => {
      const row = found(workspaceId, id);
      return row && shown(row);
    },

    flow: (workspaceId, id) => ofOne(workspaceId, id, reads.flow),
    nodeFigures: (workspaceId, id) => ofOne(workspaceId, id, reads.nodes),
    troubles: async (workspaceId, id) => (await ofOne(workspaceId, id, reads.troubles)) ?? [],
    waitingMail: async (workspaceId, id) => (await ofOne(workspaceId, id, reads.waitingMail)) ?? [],

    page: async (workspaceId, status, request) => reads.page(seqOf(workspaceId), status, request),

    change: (workspaceId, id, decide, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = reads.find(workspace, id);
        if (row === null) return null;
        const decided = decide(shown(row));
        if (!decided.ok) return decided;
        change(workspace, row, decided.value, at);
        return accept(shown(present(reads.find(workspace, id), "automation that was just changed")));
      }),

    delete: (workspaceId, id, at) =>
      writes.write(() => {
        const row = found(workspaceId, id);
        if (row !== null) remove(row, at);
        return row !== null;
      }),

    release: (workspaceId, id) =>
      writes.write(() => {
        const row = found(workspaceId, id);
        if (row === null) return "not found";
        return mail.release(row.seq, row.status === "LIVE") ? "released" : "not held";
      }),

    enrollments: async (workspaceId, id, filter, request) => {
      const row = found(workspaceId, id);
      return row && (await reads.enrollments(row.seq, { workspace: seqOf(workspaceId), ...filter }, request));
    },

    knownLists: async (workspaceId, ids) => reads.knownLists(seqOf(workspaceId), ids),
  };
}

const shown = <Stored extends { seq: number }>({ seq: _seq, ...automation }: Stored): Omit<Stored, "seq"> =>
  automation;
