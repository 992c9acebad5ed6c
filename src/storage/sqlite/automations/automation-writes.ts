import type { Database } from "bun:sqlite";
import type { AutomationStatus } from "#automations/automation.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { listenersOf } from "#automations/run/listeners.ts";
import type { AutomationWrite, NewAutomationRow } from "#automations/store.ts";
import { present } from "#core/present.ts";
import { changedFlow } from "#storage/common/automations/changed-flow.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { automations } from "#storage/sqlite/schema/schema.ts";
import { automationMail } from "./automation-mail.ts";
import { automationReads, type AutomationRow } from "./automation-reads.ts";

/** The changes of an automation, on an open transaction. */
export function automationWrites(sqlite: Database) {
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

  return {
    insert(workspace: number, { id, name, flow, createdAt }: NewAutomationRow): void {
      const { seq } = present(insert.get(id, workspace, name, createdAt), "automation that was just made");
      insertFlow.run(seq, JSON.stringify(flow));
    },

    /** Writes nothing if nothing would change. */
    change(
      workspace: number,
      row: AutomationRow,
      { name, status, flow: wanted }: AutomationWrite,
      at: number,
    ): void {
      const flow = changedFlow(reads.flow(row.seq), wanted);
      if (name === row.name && status === row.status && flow === null) return;
      update.run(name, status, flow === null ? 0 : 1, at, row.seq);
      if (flow !== null) updateFlow.run(JSON.stringify(flow), row.seq);
      listen(workspace, row.seq, status, () => reads.flow(row.seq));
      if (status !== row.status) mail.hold(row.seq, status !== "LIVE");
    },

    /** From now on it is shown nowhere and does nothing. Its rows are removed later, in slices. */
    remove(row: AutomationRow, at: number): void {
      update.run(row.name, "DELETED", 0, at, row.seq);
      listen(0, row.seq, "DELETED", () => reads.flow(row.seq));
      mail.stop(row.seq);
    },
  };
}

/**
 * Only LIVE automations have listeners, which a change looks up. Triggers that wait start those who listened
 * when they came (run/run-spread.ts): so it is kept who did, and whoever listens from now on starts with the
 * next one.
 */
function listening(sqlite: Database) {
  const newest = sqlite.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM automation_triggers");
  const keep = sqlite.query<null, [number, number]>(
    `INSERT INTO automation_past_listeners (workspace, kind, detail, automation, since, until)
     SELECT workspace, kind, detail, automation, since, ?2 FROM automation_listeners WHERE automation = ?1 AND since < ?2`,
  );
  const forget = sqlite.query<null, [number]>("DELETE FROM automation_listeners WHERE automation = ?");
  const forgetPast = sqlite.query<null, [number]>(
    "DELETE FROM automation_past_listeners WHERE automation = ?",
  );
  const add = sqlite.query<null, [number, string, string, number, number]>(
    "INSERT INTO automation_listeners (workspace, kind, detail, automation, since) VALUES (?, ?, ?, ?, ?)",
  );
  return (
    workspace: number,
    automation: number,
    status: AutomationStatus | "DELETED",
    flow: () => Flow,
  ): void => {
    const since = present(newest.get(), "newest trigger").seq ?? 0;
    if (status === "DELETED") forgetPast.run(automation);
    else keep.run(automation, since);
    forget.run(automation);
    if (status !== "LIVE") return;
    for (const { kind, detail } of listenersOf(flow())) add.run(workspace, kind, detail, automation, since);
  };
}
