import type { Database } from "bun:sqlite";
import {
  AUTOMATION_STATUSES,
  ENROLLMENT_STATUSES,
  type Automation,
  type AutomationStatus,
  type Enrollment,
  type EnrollmentFilter,
  type EnrollmentStatus,
} from "#automations/automation.ts";
import type { NodeFigures } from "#automations/node-figures.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Trouble } from "#automations/flow/trouble.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { inTurns } from "#core/time/event-loop.ts";
import type { WaitingMail } from "#automations/mail/waiting-mail.ts";
import { nodeFigures } from "#storage/common/automations/node-figures.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  automationFlows,
  automationMailings,
  automationNodes,
  automationStarts,
  automations,
  contacts,
  enrollmentCounts,
  enrollments,
  lists,
  mailings,
  recordCounts,
} from "#storage/sqlite/schema/schema.ts";

export type AutomationRow = Row<typeof automations, "seq" | "id" | "name" | "createdAt" | "updatedAt"> & {
  readonly status: Exclude<Value<typeof automations, "status">, "DELETED">;
  readonly activeEnrollments: number;
};
type EnrollmentRow = Row<
  typeof enrollments,
  "seq" | "id" | "status" | "nextRunAt" | "enrolledAt" | "completedAt" | "errorMessage"
> & {
  readonly contactId: Value<typeof contacts, "id">;
  readonly email: Value<typeof contacts, "email">;
  readonly currentNodeId: Value<typeof enrollments, "node">;
};
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

type WaitingRow = {
  readonly mailing: Value<typeof automationMailings, "mailing">;
  readonly nodeId: Value<typeof automationMailings, "node">;
  readonly count: Value<typeof mailings, "queued">;
  readonly isHeld: number;
};

type NodeCountRow = Row<typeof automationNodes, "node" | "entered" | "completed" | "failed"> & {
  waiting: number;
};
type NodeMailRow = Row<typeof automationMailings, "node"> & { sent: number; opened: number; clicked: number };

const AUTOMATION = `SELECT a.seq, a.id, a.name, a.status, a.created_at AS createdAt, a.updated_at AS updatedAt,
  coalesce((SELECT n FROM enrollment_counts WHERE automation = a.seq AND status = 'ACTIVE'), 0) AS activeEnrollments
  FROM automations AS a`;
const TROUBLES_MAX = 20;

/** The queries for automations and their enrollments. */
export function automationReads(sqlite: Database) {
  const byId = sqlite.query<AutomationRow, [number, string]>(
    `${AUTOMATION} WHERE a.workspace = ? AND a.id = ? AND a.status <> 'DELETED'`,
  );
  const flow = sqlite.query<Row<typeof automationFlows, "flow">, [number]>(
    "SELECT flow FROM automation_flows WHERE automation = ?",
  );
  // Only some are read: even a million starts in trouble are shown as one line. INDEXED BY: SQLite would look for those
  // in trouble among all runs that wait.
  const startTroubles = sqlite.query<StartTroubleRow, [number]>(
    `SELECT 'start' AS at, NULL AS nodeId, count(*) AS count, problem FROM (
       SELECT problem FROM automation_starts WHERE automation = ? AND problem IS NOT NULL ORDER BY seq DESC LIMIT 1000)
     GROUP BY problem LIMIT ${TROUBLES_MAX}`,
  );
  const stepTroubles = sqlite.query<StepTroubleRow, [number]>(
    `SELECT 'step' AS at, node AS nodeId, count(*) AS count, problem FROM (
       SELECT node, problem FROM enrollments INDEXED BY enrollments_in_trouble
       WHERE automation = ? AND status = 'ACTIVE' AND problem IS NOT NULL ORDER BY seq DESC LIMIT 1000)
     GROUP BY node, problem LIMIT ${TROUBLES_MAX}`,
  );
  // CROSS: begins with the automation's mailings, not with all that are being sent.
  const waiting = sqlite.query<WaitingRow, [number]>(
    `SELECT a.mailing, a.node AS nodeId, m.queued AS count, m.held & ${HELD.copy} AS isHeld
     FROM automation_mailings a CROSS JOIN mailings m ON m.seq = a.mailing
     WHERE a.automation = ? AND m.phase = 'sending' AND m.queued > 0 AND m.held <> ${HELD.pause}`,
  );
  const knownLists = sqlite.query<Row<typeof lists, "id">, [string, number]>(
    `SELECT l.id FROM json_each(?) CROSS JOIN lists AS l ON l.id = json_each.value WHERE l.workspace = ?`,
  );

  return {
    find: (workspace: number, id: string): AutomationRow | null => byId.get(workspace, id),
    flow: (automation: number): Flow =>
      JSON.parse(present(flow.get(automation), "flow of an automation").flow) as Flow,
    troubles: (automation: number): Trouble[] => [
      ...startTroubles.all(automation),
      ...stepTroubles.all(automation),
    ],
    waitingMail: (automation: number): WaitingMail[] =>
      waiting.all(automation).map(({ isHeld, ...mail }) => ({ ...mail, isHeld: isHeld > 0 })),
    knownLists: (workspace: number, ids: readonly string[]): ReadonlySet<string> =>
      new Set(knownLists.all(JSON.stringify(ids), workspace).map(({ id }) => id)),
    nodes: nodeFiguresOf(sqlite),
    page: automationPages(sqlite),
    enrollments: enrollmentPages(sqlite),
  };
}

/** What became of runs and mails at each node, by node. Only counters are read. */
function nodeFiguresOf(sqlite: Database): (automation: number) => Map<string, NodeFigures> {
  const counts = sqlite.query<NodeCountRow, [number]>(
    `SELECT node, entered, completed, failed, entered - completed - failed - removed AS waiting
     FROM automation_nodes WHERE automation = ?`,
  );
  const mails = sqlite.query<NodeMailRow, [number]>(
    `SELECT a.node, sum(m.accepted) AS sent, sum(m.opened) AS opened, sum(m.clicked) AS clicked
     FROM automation_mailings a JOIN mailings m ON m.seq = a.mailing WHERE a.automation = ? GROUP BY a.node`,
  );
  return (automation) => nodeFigures(counts.all(automation), mails.all(automation));
}

/** One range of the index per status, merged: a page costs the same however many there are. */
function automationPages(sqlite: Database) {
  const shown = (statuses: readonly string[]) => {
    const ranges = statuses.map(
      (
        status,
      ) => `SELECT * FROM (SELECT seq FROM automations WHERE workspace = $of AND status = '${status}' AND seq < $before
        ORDER BY seq DESC LIMIT $limit)`,
    );
    return sqlite.query<AutomationRow, { of: number; before: number; limit: number }>(
      `${AUTOMATION.replace("FROM automations AS a", `FROM (${ranges.join(" UNION ALL ")}) page JOIN automations a ON a.seq = page.seq`)}
       ORDER BY a.seq DESC LIMIT $limit`,
    );
  };
  const count = sqlite.query<Row<typeof recordCounts, "n">, [number, string]>(
    "SELECT n FROM record_counts WHERE workspace = ? AND kind = 'automation' AND status = ?",
  );
  return pagesBy<AutomationStatus, AutomationRow, Automation>(AUTOMATION_STATUSES, shown, count, withoutSeq);
}

const ENROLLMENT = `e.seq, e.id, c.id AS contactId, c.email, e.node AS currentNodeId, e.status, e.next_run_at AS nextRunAt,
  e.enrolled_at AS enrolledAt, e.completed_at AS completedAt, e.error_message AS errorMessage`;

type Asked = EnrollmentFilter & { readonly workspace: number };

/** How many of one person's enrollments are counted in one turn of the event loop. */
const COUNTED_AT_ONCE = 2_000;

/** All enrollments, or those of one address. */
function enrollmentPages(sqlite: Database) {
  const everybody = everybodysEnrollments(sqlite);
  const onePerson = onePersonsEnrollments(sqlite);
  return async (automation: number, asked: Asked, request: PageRequest): Promise<Page<Enrollment>> =>
    asked.email === null
      ? everybody(automation, asked.status, request)
      : await inTurns(onePerson({ automation, ...asked }, request));
}

/** As many as the times this person entered, and somebody who stands for many may have entered a million times. */
function onePersonsEnrollments(sqlite: Database) {
  const OF_ONE = `FROM contacts c JOIN enrollments e ON e.contact = c.seq AND e.automation = $automation
     WHERE c.workspace = $workspace AND c.email = $email AND ($status IS NULL OR e.status = $status)`;
  type Whose = Asked & { automation: number };
  const shown = sqlite.query<EnrollmentRow, Whose & { before: number; limit: number }>(
    `SELECT ${ENROLLMENT} ${OF_ONE} AND e.seq < $before ORDER BY e.seq DESC LIMIT $limit`,
  );
  const piece = sqlite.query<
    { n: number; last: number | null },
    Whose & { after: number; pieceRows: number }
  >(
    `SELECT count(*) FILTER (WHERE $status IS NULL OR status = $status) AS n, max(seq) AS last FROM (
       SELECT e.seq, e.status FROM contacts c JOIN enrollments e ON e.contact = c.seq AND e.automation = $automation
       WHERE c.workspace = $workspace AND c.email = $email AND e.seq > $after ORDER BY e.seq LIMIT $pieceRows)`,
  );
  return function* (whose: Whose, { limit, before }: PageRequest): Generator<void, Page<Enrollment>, void> {
    const rows = shown.all({ ...whose, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 });
    let total = 0;
    for (let after: number | null = 0; after !== null;) {
      const { n, last }: { n: number; last: number | null } = present(
        piece.get({ ...whose, after, pieceRows: COUNTED_AT_ONCE }),
        "count of enrollments",
      );
      total += n;
      after = last;
      if (after !== null) yield;
    }
    return pageOf(rows, total, limit, { position: (row) => row.seq, item: withoutSeq });
  };
}

function everybodysEnrollments(sqlite: Database) {
  const shown = (statuses: readonly string[]) => {
    const ranges = statuses.map(
      (
        status,
      ) => `SELECT * FROM (SELECT seq FROM enrollments WHERE automation = $of AND status = '${status}' AND seq < $before
        ORDER BY seq DESC LIMIT $limit)`,
    );
    return sqlite.query<EnrollmentRow, { of: number; before: number; limit: number }>(
      `SELECT ${ENROLLMENT} FROM (${ranges.join(" UNION ALL ")}) page JOIN enrollments e ON e.seq = page.seq JOIN contacts c ON c.seq = e.contact
       ORDER BY e.seq DESC LIMIT $limit`,
    );
  };
  const count = sqlite.query<Row<typeof enrollmentCounts, "n">, [number, string]>(
    "SELECT n FROM enrollment_counts WHERE automation = ? AND status = ?",
  );
  return pagesBy<EnrollmentStatus, EnrollmentRow, Enrollment>(ENROLLMENT_STATUSES, shown, count, withoutSeq);
}

type Statement<Stored, Values> = { all(values: Values): Stored[] };
type Count = { get(of: number, status: string): { n: number } | null };

/** Pages of the rows that belong to `of`, of one status or of all. */
function pagesBy<Status extends string, Stored extends { seq: number }, Item>(
  all: readonly Status[],
  shown: (statuses: readonly Status[]) => Statement<Stored, { of: number; before: number; limit: number }>,
  count: Count,
  item: (row: Stored) => Item,
) {
  const statements = new Map<Status | null, ReturnType<typeof shown>>([[null, shown(all)]]);
  for (const status of all) statements.set(status, shown([status]));

  return (of: number, status: Status | null, { limit, before }: PageRequest): Page<Item> => {
    const rows = present(statements.get(status), "statement for a status").all({
      of,
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit: limit + 1,
    });
    const total = (status === null ? all : [status]).reduce(
      (sum, each) => sum + (count.get(of, each)?.n ?? 0),
      0,
    );
    return pageOf(rows, total, limit, { position: (row) => row.seq, item });
  };
}

const withoutSeq = <Stored extends { seq: number }>({ seq: _seq, ...item }: Stored): Omit<Stored, "seq"> =>
  item;
