/**
 * Where a person's moments are in the tables: enough of each to put them in order. Only those that are shown are
 * read completely (timeline-moments.ts). Events are not included: they are many, and have their own log.
 */
import type { Database } from "bun:sqlite";
import type { Mark, Person, Source } from "#storage/common/timeline/timeline.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type {
  bounceReports,
  consentLog,
  deliveries,
  enrollments,
  listDepartures,
  listMembers,
  suppressions,
} from "#storage/sqlite/schema/schema.ts";

/** How many are read at a time: some milliseconds. */
const SLICE = 1_000;

type DeliveryRow = Row<typeof deliveries, "seq" | "openedAt" | "clickedAt"> & { settledAt: number | null };

/** All marks of a person, in slices and in no order. */
export function markReader(sqlite: Database): (person: Person) => Generator<Mark[], void, void> {
  const consents = sqlite.query<Row<typeof consentLog, "seq" | "at">, [string, number, number]>(
    "SELECT seq, at FROM consent_log WHERE contact_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const suppression = sqlite.query<Row<typeof suppressions, "createdAt">, [number, string]>(
    "SELECT created_at AS createdAt FROM suppressions WHERE workspace = ? AND address = ?",
  );
  const members = sqlite.query<Row<typeof listMembers, "list" | "addedAt">, [number, number, number]>(
    "SELECT list, added_at AS addedAt FROM list_members WHERE contact = ? AND list > ? ORDER BY list LIMIT ?",
  );
  const departures = sqlite.query<
    Row<typeof listDepartures, "seq" | "joinedAt" | "leftAt">,
    [number, number, number]
  >(
    `SELECT seq, joined_at AS joinedAt, left_at AS leftAt FROM list_departures
     WHERE contact = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const mail = mailReader(sqlite);
  const enrolled = enrollmentReader(sqlite);

  return function* ({ workspace, seq, id, email }) {
    const suppressed = suppression.get(workspace, email);
    if (suppressed !== null) yield [{ source: "suppression", at: suppressed.createdAt, key: 0 }];
    yield* marked(
      (after) => consents.all(id, after, SLICE),
      (row) => row.seq,
      (row) => [{ source: "consent", at: row.at, key: row.seq }],
    );
    yield* marked(
      (after) => members.all(seq, after, SLICE),
      ({ list }) => list,
      ({ list, addedAt }) => [{ source: "joined", at: addedAt, key: list }],
    );
    yield* marked(
      (after) => departures.all(seq, after, SLICE),
      (row) => row.seq,
      (row) => [
        { source: "joinedBefore", at: row.joinedAt, key: row.seq },
        { source: "left", at: row.leftAt, key: row.seq },
      ],
    );
    yield* mail(seq);
    yield* enrolled(seq);
  };
}

const markAt = (source: Source, at: number | null, key: number): Mark[] =>
  at === null ? [] : [{ source, at, key }];

/** The marks of rows that are read in the order of a key, slice by slice. */
function* marked<T>(
  read: (after: number) => T[],
  keyOf: (row: T) => number,
  marksOf: (row: T) => Mark[],
): Generator<Mark[], void, void> {
  for (let after = 0; ;) {
    const rows = read(after);
    yield rows.flatMap(marksOf);
    const last = rows.at(-1);
    if (rows.length < SLICE || last === undefined) return;
    after = keyOf(last);
  }
}

/** Messages, and reports about them. */
function mailReader(sqlite: Database) {
  // A message that the plan skipped has no time of its own. It gets the start of the send; none while planned.
  const messages = sqlite.query<DeliveryRow, [number, number, number]>(
    `SELECT d.seq, d.opened_at AS openedAt, d.clicked_at AS clickedAt,
       iif(d.state = 'skipped', coalesce(d.settled_at, m.started_at), d.settled_at) AS settledAt
     FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing
     WHERE d.contact = ? AND d.seq > ? ORDER BY d.seq LIMIT ?`,
  );
  const reports = sqlite.query<Row<typeof bounceReports, "seq" | "at">, [number, number, number]>(
    "SELECT seq, at FROM bounce_reports WHERE contact = ? AND seq > ? ORDER BY seq LIMIT ?",
  );

  return function* (contact: number): Generator<Mark[], void, void> {
    yield* marked(
      (after) => messages.all(contact, after, SLICE),
      (row) => row.seq,
      ({ seq: key, settledAt, openedAt, clickedAt }) => [
        ...markAt("delivery", settledAt, key),
        ...markAt("opened", openedAt, key),
        ...markAt("clicked", clickedAt, key),
      ],
    );
    yield* marked(
      (after) => reports.all(contact, after, SLICE),
      (row) => row.seq,
      (row) => [{ source: "report", at: row.at, key: row.seq }],
    );
  };
}

/** The index has a contact's runs by automation. */
function enrollmentReader(sqlite: Database) {
  const nextAutomation = sqlite.query<{ automation: number | null }, [number, number]>(
    "SELECT min(automation) AS automation FROM enrollments WHERE contact = ? AND automation > ?",
  );
  const runs = sqlite.query<
    Row<typeof enrollments, "seq" | "enrolledAt" | "completedAt">,
    [number, number, number, number]
  >(
    `SELECT e.seq, e.enrolled_at AS enrolledAt, e.completed_at AS completedAt
     FROM automations AS a CROSS JOIN enrollments AS e ON e.automation = a.seq
     WHERE e.contact = ? AND a.seq = ? AND a.status <> 'DELETED' AND e.seq > ? ORDER BY e.seq LIMIT ?`,
  );

  return function* (contact: number): Generator<Mark[], void, void> {
    for (let after = 0; ;) {
      const { automation } = nextAutomation.get(contact, after) ?? { automation: null };
      if (automation === null) return;
      yield* marked(
        (seq) => runs.all(contact, automation, seq, SLICE),
        (row) => row.seq,
        ({ seq, enrolledAt, completedAt }) => [
          { source: "entered", at: enrolledAt, key: seq },
          ...markAt("ended", completedAt, seq),
        ],
      );
      after = automation;
    }
  };
}
