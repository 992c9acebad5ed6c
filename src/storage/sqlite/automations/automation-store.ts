import type { Database } from "bun:sqlite";
import type { AutomationStatus } from "#automations/automation.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { listenersOf } from "#automations/run/listeners.ts";
import type { AutomationStore } from "#automations/store.ts";
import { accept } from "#core/errors.ts";
import { automationMail } from "./automation-mail.ts";
import { automationReads } from "./automation-reads.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { automations } from "#storage/sqlite/schema/schema.ts";

export function automationStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): AutomationStore {
  const reads = automationReads(sqlite);
  const insert = sqlite.query<Row<typeof automations, "seq">, (string | number)[]>(
    `INSERT INTO automations (id, workspace, name, status, created_at, updated_at) VALUES (?1, ?2, ?3, 'DRAFT', ?4, ?4) RETURNING seq`,
  );
  const insertFlow = sqlite.query<null, [number, string]>("INSERT INTO automation_flows VALUES (?, ?)");
  const update = sqlite.query<null, (string | number)[]>(
    "UPDATE automations SET name = ?, status = ?, flow_version = flow_version + ?, updated_at = ? WHERE seq = ?",
  );
  const updateFlow = sqlite.query<null, [string, number]>(
    "UPDATE automation_flows SET flow = ? WHERE automation = ?",
  );
  const listen = listening(sqlite);
  const mail = automationMail(sqlite);

  const found = (workspaceId: string, id: string) => reads.find(seqOf(workspaceId), id);

  return {
    insert: (workspaceId, { id, name, flow, createdAt }) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const { seq } = required(insert.get(id, workspace, name, createdAt));
        insertFlow.run(seq, JSON.stringify(flow));
        return shown(required(reads.find(workspace, id)));
      }),

    find: async (workspaceId, id) => {
      const row = found(workspaceId, id);
      return row && shown(row);
    },

    flow: async (workspaceId, id) => {
      const row = found(workspaceId, id);
      return row && reads.flow(row.seq);
    },

    page: async (workspaceId, status, request) => reads.page(seqOf(workspaceId), status, request),

    change: (workspaceId, id, decide, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = reads.find(workspace, id);
        if (row === null) return null;
        const decided = decide(shown(row));
        if (!decided.ok) return decided;
        const { name, status } = decided.value;
        const flow = changedFlow(reads.flow(row.seq), decided.value.flow);
        if (name === row.name && status === row.status && flow === null) return accept(shown(row));
        update.run(name, status, flow === null ? 0 : 1, at, row.seq);
        if (flow !== null) updateFlow.run(JSON.stringify(flow), row.seq);
        listen(workspace, row.seq, status, () => reads.flow(row.seq));
        if (status !== row.status) mail.hold(row.seq, status !== "LIVE");
        return accept(shown(required(reads.find(workspace, id))));
      }),

    delete: (workspaceId, id, at) =>
      writes.write(() => {
        const row = found(workspaceId, id);
        if (row === null) return false;
        update.run(row.name, "DELETED", 0, at, row.seq);
        listen(0, row.seq, "DELETED", () => reads.flow(row.seq));
        mail.stop(row.seq);
        return true;
      }),

    release: (workspaceId, id) =>
      writes.write(() => {
        const row = found(workspaceId, id);
        if (row === null) return "not found";
        return mail.release(row.seq, row.status === "LIVE") ? "released" : "not held";
      }),

    enrollments: async (workspaceId, id, status, request) => {
      const row = found(workspaceId, id);
      return row && reads.enrollments(row.seq, status, request);
    },

    troubles: async (workspaceId, id) => {
      const row = found(workspaceId, id);
      return row === null ? [] : reads.troubles(row.seq);
    },

    knownLists: async (workspaceId, ids) => reads.knownLists(seqOf(workspaceId), ids),
  };
}

const shown = <Stored extends { seq: number }>({ seq: _seq, ...automation }: Stored): Omit<Stored, "seq"> =>
  automation;

const changedFlow = (current: Flow, wanted: Flow | undefined): Flow | null =>
  wanted === undefined || JSON.stringify(current) === JSON.stringify(wanted) ? null : wanted;

/** Only a LIVE automation is among those a change looks up. */
function listening(sqlite: Database) {
  const forget = sqlite.query<null, [number]>("DELETE FROM automation_listeners WHERE automation = ?");
  const add = sqlite.query<null, [number, string, string, number]>(
    "INSERT INTO automation_listeners VALUES (?, ?, ?, ?)",
  );
  return (
    workspace: number,
    automation: number,
    status: AutomationStatus | "DELETED",
    flow: () => Flow,
  ): void => {
    forget.run(automation);
    if (status !== "LIVE") return;
    for (const { kind, detail } of listenersOf(flow())) add.run(workspace, kind, detail, automation);
  };
}
