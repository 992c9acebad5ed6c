import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { Automation } from "#automations/automation.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Trouble } from "#automations/flow/trouble.ts";
import type { WaitingMail } from "#automations/mail/waiting-mail.ts";
import type { NodeFigures } from "#automations/node-figures.ts";
import { present } from "#core/present.ts";
import {
  nodeFigures,
  type NodeCountRow,
  type NodeMailRow,
} from "#storage/common/automations/node-figures.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import {
  automations,
  type automationFlows,
  type automationStarts,
  type enrollments,
  type lists,
} from "#storage/postgres/schema/schema.ts";

/** What the API shows of an automation that is not deleted. */
export const AUTOMATION = {
  id: automations.id,
  name: automations.name,
  status: sql<Automation["status"]>`${automations.status}`,
  createdAt: automations.createdAt,
  updatedAt: automations.updatedAt,
  activeEnrollments:
    sql`(SELECT coalesce(sum(n), 0) FROM enrollment_counts WHERE automation = ${automations.seq} AND status = 'ACTIVE')`.mapWith(
      Number,
    ),
};

export type FoundAutomation = { readonly seq: number; readonly automation: Automation };

const itself = (workspace: number, id: string): SQL | undefined =>
  and(eq(automations.workspace, workspace), eq(automations.id, id), ne(automations.status, "DELETED"));

const found = ({ orm }: Session, workspace: number, id: string) =>
  orm.select({ seq: automations.seq, automation: AUTOMATION }).from(automations).where(itself(workspace, id));

/** Null: the workspace has no such automation. */
export async function findAutomation(
  session: Session,
  workspace: number,
  id: string,
): Promise<FoundAutomation | null> {
  const [one] = await found(session, workspace, id);
  return one ?? null;
}

/** The same, locked until the transaction ends. This waits for transactions that work on its runs. */
export async function holdAutomation(
  tx: Session,
  workspace: number,
  id: string,
): Promise<FoundAutomation | null> {
  const [one] = await found(tx, workspace, id).for("no key update");
  return one ?? null;
}

export async function flowOf({ row }: Session, automation: number): Promise<Flow> {
  const stored = await row<Row<typeof automationFlows, "flow">>(
    "SELECT flow FROM automation_flows WHERE automation = $1",
    [automation],
  );
  return JSON.parse(present(stored, "flow of an automation").flow) as Flow;
}

/** Null: the automation was deleted. */
export async function currentFlowOf({ row }: Session, automation: number): Promise<Flow | null> {
  const stored = await row<Row<typeof automationFlows, "flow">>(
    `SELECT f.flow FROM automation_flows AS f JOIN automations AS a ON a.seq = f.automation
     WHERE f.automation = $1 AND a.status <> 'DELETED'`,
    [automation],
  );
  return stored && (JSON.parse(stored.flow) as Flow);
}

const NODE_COUNTS = `SELECT node, sum(entered)::int8 AS entered, sum(completed)::int8 AS completed,
    sum(failed)::int8 AS failed, sum(entered - completed - failed - removed)::int8 AS waiting
  FROM automation_nodes WHERE automation = $1 GROUP BY node`;
const NODE_MAILS = `SELECT a.node, coalesce(sum(t.accepted), 0)::int8 AS sent, coalesce(sum(t.opened), 0)::int8 AS opened,
    coalesce(sum(t.clicked), 0)::int8 AS clicked
  FROM automation_mailings AS a LEFT JOIN tallies AS t ON t.mailing = a.mailing WHERE a.automation = $1 GROUP BY a.node`;

/** What became of runs and mails at each node, by node. Only counts are read. */
export async function nodeFiguresOf(
  { rows }: Session,
  automation: number,
): Promise<Map<string, NodeFigures>> {
  const [counts, mails] = await Promise.all([
    rows<NodeCountRow>(NODE_COUNTS, [automation]),
    rows<NodeMailRow>(NODE_MAILS, [automation]),
  ]);
  return nodeFigures(counts, mails);
}

type StartTroubleRow = {
  readonly at: "start";
  readonly nodeId: null;
  readonly count: number;
  readonly problem: NonNullable<Value<typeof automationStarts, "problem">>;
};
type StepTroubleRow = {
  readonly at: "step";
  readonly nodeId: Value<typeof enrollments, "node">;
  readonly count: number;
  readonly problem: NonNullable<Value<typeof enrollments, "problem">>;
};

const TROUBLES_MAX = 20;
// Only some are read: even a million starts in trouble are shown as one line.
const START_TROUBLES = `SELECT 'start' AS at, NULL AS node_id, count(*) AS count, problem FROM (
    SELECT problem FROM automation_starts WHERE automation = $1 AND problem IS NOT NULL ORDER BY seq DESC LIMIT 1000) AS newest
  GROUP BY problem ORDER BY problem COLLATE "C" LIMIT ${TROUBLES_MAX}`;
const STEP_TROUBLES = `SELECT 'step' AS at, node AS node_id, count(*) AS count, problem FROM (
    SELECT node, problem FROM enrollments WHERE automation = $1 AND status = 'ACTIVE' AND problem IS NOT NULL
    ORDER BY seq DESC LIMIT 1000) AS newest
  GROUP BY node, problem ORDER BY node, problem COLLATE "C" LIMIT ${TROUBLES_MAX}`;

export async function troublesOf({ rows }: Session, automation: number): Promise<Trouble[]> {
  const [starts, steps] = await Promise.all([
    rows<StartTroubleRow>(START_TROUBLES, [automation]),
    rows<StepTroubleRow>(STEP_TROUBLES, [automation]),
  ]);
  return [...starts, ...steps];
}

const WAITING_MAIL = `SELECT a.mailing, a.node AS node_id, t.queued AS count, (m.held & ${HELD.copy}) > 0 AS is_held
  FROM automation_mailings AS a JOIN mailings AS m ON m.seq = a.mailing
  CROSS JOIN LATERAL (SELECT coalesce(sum(queued), 0)::int8 AS queued FROM tallies WHERE mailing = m.seq) AS t
  WHERE a.automation = $1 AND m.phase = 'sending' AND t.queued > 0 AND m.held <> ${HELD.pause}`;

export const waitingMailOf = ({ rows }: Session, automation: number): Promise<WaitingMail[]> =>
  rows<WaitingMail>(WAITING_MAIL, [automation]);

export async function knownListsOf(
  { rows }: Session,
  workspace: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await rows<Row<typeof lists, "id">>(
    "SELECT id FROM lists WHERE workspace = $1 AND id = ANY($2::text[])",
    [workspace, ids],
  );
  return new Set(known.map(({ id }) => id));
}
