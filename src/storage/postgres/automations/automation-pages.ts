import { and, desc, eq, inArray, lt } from "drizzle-orm";
import {
  AUTOMATION_STATUSES,
  type Automation,
  type AutomationStatus,
  type Enrollment,
  type EnrollmentFilter,
} from "#automations/automation.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Session, Value } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import { automations, type contacts, type enrollments } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import { AUTOMATION } from "./automation-reads.ts";

export async function automationPage(
  session: Session,
  workspace: number,
  status: AutomationStatus | null,
  { limit, before }: PageRequest,
): Promise<Page<Automation>> {
  const statuses = status === null ? AUTOMATION_STATUSES : [status];
  const mine = and(eq(automations.workspace, workspace), inArray(automations.status, [...statuses]));
  const [rows, totals] = await Promise.all([
    session.orm
      .select({ seq: automations.seq, automation: AUTOMATION })
      .from(automations)
      .where(before === null ? mine : and(mine, lt(automations.seq, before)))
      .orderBy(desc(automations.seq))
      .limit(limit + 1),
    Promise.all(statuses.map((each) => recordCount(session, workspace, "automation", each))),
  ]);
  const total = totals.reduce((sum, n) => sum + n, 0);
  return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ automation }) => automation });
}

type EnrollmentRow = Row<
  typeof enrollments,
  "seq" | "id" | "status" | "nextRunAt" | "enrolledAt" | "completedAt" | "errorMessage"
> &
  Row<typeof contacts, "email"> & { readonly contactId: string; readonly currentNodeId: string };

const ENROLLMENT = `SELECT e.seq, e.id, c.id AS contact_id, c.email, e.node AS current_node_id, e.status, e.next_run_at,
    e.enrolled_at, e.completed_at, e.error_message
  FROM enrollments AS e JOIN contacts AS c ON c.seq = e.contact WHERE e.automation = $1 AND e.seq < $2`;
const NEWEST = "ORDER BY e.seq DESC LIMIT $3";
const COUNT = "SELECT coalesce(sum(n), 0)::int8 AS n FROM enrollment_counts WHERE automation = $1";
const OF_ONE = "c.workspace = $2 AND c.email = $3";
const COUNT_OF_ONE = `SELECT count(*) AS n FROM enrollments AS e JOIN contacts AS c ON c.seq = e.contact
  WHERE e.automation = $1 AND ${OF_ONE} AND ($4::text IS NULL OR e.status = $4)`;
const SHOWN_OF_ONE = "c.workspace = $4 AND c.email = $5 AND ($6::text IS NULL OR e.status = $6)";

type Asked = { readonly automation: number; readonly workspace: number } & EnrollmentFilter;

/**
 * All enrollments, or those of one address, which are as many as the times this person entered. All are counted by
 * sums, and an index has them in this order for each status.
 */
export async function enrollmentPage(
  { rows, row }: Session,
  { automation, workspace, status, email }: Asked,
  { limit, before }: PageRequest,
): Promise<Page<Enrollment>> {
  const newest: Value[] = [automation, before ?? Number.MAX_SAFE_INTEGER, limit + 1];
  const ofStatus = status === null ? [] : [status];
  const [shown, counted] = await Promise.all(
    email === null
      ? [
          rows<EnrollmentRow>(`${ENROLLMENT} ${status === null ? "" : "AND e.status = $4"} ${NEWEST}`, [
            ...newest,
            ...ofStatus,
          ]),
          row<{ n: number }>(`${COUNT} ${status === null ? "" : "AND status = $2"}`, [
            automation,
            ...ofStatus,
          ]),
        ]
      : [
          rows<EnrollmentRow>(`${ENROLLMENT} AND ${SHOWN_OF_ONE} ${NEWEST}`, [
            ...newest,
            workspace,
            email,
            status,
          ]),
          row<{ n: number }>(COUNT_OF_ONE, [automation, workspace, email, status]),
        ],
  );
  return pageOf(shown, present(counted, "count of enrollments").n, limit, {
    position: ({ seq }) => seq,
    item: ({ seq: _seq, ...enrollment }) => enrollment,
  });
}
