import { eq, sql } from "drizzle-orm";
import type { AutomationStatus } from "#automations/automation.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { listenersOf } from "#automations/run/listeners.ts";
import type { AutomationWrite, NewAutomationRow } from "#automations/store.ts";
import { changedFlow } from "#storage/common/automations/changed-flow.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { automations } from "#storage/postgres/schema/schema.ts";
import { present } from "#core/present.ts";
import { holdMail, stopMail } from "./automation-holds.ts";
import { flowOf, type FoundAutomation } from "./automation-reads.ts";
import { ALONE_WITH_TRIGGERS } from "./start-writes.ts";

const INSERT_FLOW = "INSERT INTO automation_flows (automation, flow) VALUES ($1, $2)";
const UPDATE_FLOW = "UPDATE automation_flows SET flow = $2 WHERE automation = $1";
const FORGET = "DELETE FROM automation_listeners WHERE automation = $1";
const FORGET_PAST = "DELETE FROM automation_past_listeners WHERE automation = $1";
/** The newest trigger is looked up once: it parts the triggers before the change from those after it. */
const KEEP = `WITH newest AS MATERIALIZED (SELECT coalesce(max(seq), 0) AS seq FROM automation_triggers),
  kept AS (INSERT INTO automation_past_listeners (workspace, kind, detail, automation, since, until)
    SELECT l.workspace, l.kind, l.detail, l.automation, l.since, newest.seq FROM automation_listeners AS l, newest
    WHERE l.automation = $1 AND l.since < newest.seq)
  SELECT seq FROM newest`;
const LISTEN = `INSERT INTO automation_listeners (workspace, kind, detail, automation, since)
  SELECT $1, l.kind, l.detail, $2, $5::int8 FROM unnest($3::text[], $4::text[]) AS l (kind, detail)`;

export async function insertAutomation(
  tx: Session,
  workspace: number,
  { flow, ...automation }: NewAutomationRow,
): Promise<void> {
  const [made] = await tx.orm
    .insert(automations)
    .values({ ...automation, workspace, status: "DRAFT", updatedAt: automation.createdAt })
    .returning({ seq: automations.seq });
  await tx.run(INSERT_FLOW, [present(made, "automation that was just made").seq, JSON.stringify(flow)]);
}

/** Writes nothing if nothing would change. The transaction has locked the automation. */
export async function changeAutomation(
  tx: Session,
  workspace: number,
  { seq, automation }: FoundAutomation,
  { name, status, flow: wanted }: AutomationWrite,
  at: number,
): Promise<void> {
  const current = await flowOf(tx, seq);
  const flow = changedFlow(current, wanted);
  if (name === automation.name && status === automation.status && flow === null) return;
  const version = flow === null ? {} : { flowVersion: sql`${automations.flowVersion} + 1` };
  await tx.orm
    .update(automations)
    .set({ name, status, updatedAt: at, ...version })
    .where(eq(automations.seq, seq));
  if (flow !== null) await tx.run(UPDATE_FLOW, [seq, JSON.stringify(flow)]);
  await listen(tx, workspace, seq, status, flow ?? current);
  if (status !== automation.status) await holdMail(tx, seq, status !== "LIVE");
}

/** From now on it is shown nowhere and does nothing. Its rows are removed later, in slices. */
export async function removeAutomation(tx: Session, automation: number, at: number): Promise<void> {
  const gone = { status: "DELETED", updatedAt: at } as const;
  await tx.orm.update(automations).set(gone).where(eq(automations.seq, automation));
  for (const statement of [FORGET, FORGET_PAST]) await tx.run(statement, [automation]);
  await stopMail(tx, automation);
}

/**
 * Only LIVE automations have listeners, which a change looks up. Triggers that wait start those who listened
 * when they came (run/run-spread.ts): so it is kept who did, and whoever listens from now on starts with the
 * next one.
 */
async function listen(
  tx: Session,
  workspace: number,
  automation: number,
  status: AutomationStatus,
  flow: Flow,
): Promise<void> {
  await tx.run(ALONE_WITH_TRIGGERS, [workspace]);
  const newest = present(await tx.row<{ seq: number }>(KEEP, [automation]), "newest trigger");
  await tx.run(FORGET, [automation]);
  if (status !== "LIVE") return;
  const listeners = listenersOf(flow);
  await tx.run(LISTEN, [
    workspace,
    automation,
    listeners.map(({ kind }) => kind),
    listeners.map(({ detail }) => detail),
    newest.seq,
  ]);
}
