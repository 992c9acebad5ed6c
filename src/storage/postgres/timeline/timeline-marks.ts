/**
 * Where a person's moments are in the tables: enough of each to put them in order. Only those that are shown are
 * read completely (timeline-moments.ts). Events are not included: they are many, and have their own log.
 */
import { present } from "#core/present.ts";
import { SOURCES, type Mark, type Person } from "#storage/common/timeline/timeline.ts";
import type { Session, Value } from "#storage/postgres/engine/session.ts";

/** `$1` is the workspace, `$2` the contact's row number, `$3` its id, `$4` its address. */
const ALL: Readonly<Record<Exclude<Mark["source"], "event">, string>> = {
  consent: "SELECT at, seq AS key FROM consent_log WHERE contact_id = $3",
  suppression: "SELECT created_at AS at, 0 AS key FROM suppressions WHERE workspace = $1 AND address = $4",
  joined: "SELECT added_at AS at, list AS key FROM list_members WHERE contact = $2",
  joinedBefore: "SELECT joined_at AS at, seq AS key FROM list_departures WHERE contact = $2",
  left: "SELECT left_at AS at, seq AS key FROM list_departures WHERE contact = $2",
  // A message that the plan skipped has no time of its own. It gets the start of the send; none while planned.
  delivery: `SELECT CASE WHEN d.state = 'skipped' THEN coalesce(d.settled_at, m.started_at) ELSE d.settled_at END AS at,
    d.seq AS key FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing WHERE d.contact = $2`,
  opened: "SELECT opened_at AS at, seq AS key FROM deliveries WHERE contact = $2",
  clicked: "SELECT clicked_at AS at, seq AS key FROM deliveries WHERE contact = $2",
  report: "SELECT at, seq AS key FROM bounce_reports WHERE contact = $2",
  entered: runs("enrolled_at"),
  ended: runs("completed_at"),
};

function runs(time: string): string {
  return `SELECT e.${time} AS at, e.seq AS key FROM enrollments AS e JOIN automations AS a ON a.seq = e.automation
    WHERE e.contact = $2 AND a.status <> 'DELETED'`;
}

const MARKS = Object.entries(ALL)
  .map(
    ([source, marks]) =>
      `SELECT '${source}' AS source, ${SOURCES.findIndex((one) => one === source)} AS rank, at, key
       FROM (${marks}) AS of_source WHERE at IS NOT NULL`,
  )
  .join(" UNION ALL ");

const COUNT = `SELECT count(*) AS n FROM (${MARKS}) AS marks`;
/** The newest `$5`, in the order of a timeline (storage/common/timeline/timeline.ts). */
const NEWEST = `SELECT source, at, key FROM (${MARKS}) AS marks ORDER BY at DESC, rank, key DESC LIMIT $5`;
/** The same after the mark with the time `$6`, the rank `$7` and the key `$8`. */
const OLDER = NEWEST.replace(
  "AS marks",
  "AS marks WHERE at < $6 OR at = $6 AND (rank > $7 OR rank = $7 AND key < $8)",
);

type MarkRow = {
  readonly source: Exclude<Mark["source"], "event">;
  readonly at: number;
  readonly key: number;
};

/** The newest marks of a person after `before` in display order, and how many the person has. */
export async function marksOf(
  session: Session,
  { workspace, seq, id, email }: Person,
  before: Mark | null,
  size: number,
): Promise<{ readonly newest: readonly Mark[]; readonly total: number }> {
  const person: Value[] = [workspace, seq, id, email];
  const after = before === null ? [] : [before.at, SOURCES.indexOf(before.source), before.key];
  const [newest, counted] = await Promise.all([
    session.rows<MarkRow>(before === null ? NEWEST : OLDER, [...person, size, ...after]),
    session.row<{ n: number }>(COUNT, person),
  ]);
  return { newest, total: present(counted, "count of marks").n };
}
