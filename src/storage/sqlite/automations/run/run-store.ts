import { endsStay } from "#automations/run/enroll.ts";
import { tallyOf } from "#automations/run/node-tally.ts";
import { afterCall } from "#automations/run/turn.ts";
import type { RunStore } from "#automations/run/store.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { factsReader } from "#storage/sqlite/automations/automation-facts.ts";
import { enrollmentMoves } from "#storage/sqlite/automations/enrollment-moves.ts";
import { afterLongReads, readToEnd } from "#storage/sqlite/events/event-sums.ts";
import { onNewer } from "#storage/sqlite/engine/on-newer.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { admitStarts } from "./run-admit.ts";
import { nodeBook } from "#storage/sqlite/automations/node-counts.ts";
import { heldRuns } from "./held-runs.ts";
import { drawInSlices } from "#storage/sqlite/ledger/moves/far-retries.ts";
import { currentWorkspace, longOptOut } from "./long-opt-out.ts";
import { advanceRuns } from "./run-advance.ts";
import { spreadTriggers } from "./run-spread.ts";
import { stayingStarts } from "./staying-starts.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  automationDeliveries,
  automationFlows,
  automations,
  automationTriggers,
  contacts,
  deliveries,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";
import { NOTHING } from "#storage/common/automations/slice-result.ts";

/** The next work of each LIVE automation: a run's turn, or a trigger. */
const HEADS = `
  SELECT a.seq AS number, a.id, a.workspace, a.flow_version AS flowVersion,
    coalesce((SELECT next_run_at FROM enrollments WHERE automation = a.seq AND status = 'ACTIVE' ORDER BY next_run_at LIMIT 1), $never) AS runAt,
    coalesce((SELECT next_try_at FROM automation_starts WHERE automation = a.seq ORDER BY next_try_at LIMIT 1), $never) AS startAt
  FROM automations AS a WHERE a.status = 'LIVE'`;

type MailedRow = Row<typeof deliveries, "contact"> & OuterRow<typeof automationDeliveries, "event">;
type DueRow = Row<typeof automations, "id" | "flowVersion"> & {
  readonly number: Value<typeof automations, "seq">;
  readonly workspaceId: Value<typeof workspaces, "id">;
  readonly runAt: number;
  readonly startAt: number;
};

export function runStore(database: SqliteDatabase, seqOf: WorkspaceSeq): RunStore {
  const { sqlite, writes, longWrites } = database;
  const flow = sqlite.query<Row<typeof automationFlows, "flow">, [number]>(
    "SELECT flow FROM automation_flows WHERE automation = ?",
  );
  const current = currentWorkspace(sqlite);
  /** Of an automation that was not deleted. */
  const currentFlow = sqlite.query<Row<typeof automationFlows, "flow">, [number]>(
    `SELECT f.flow FROM automation_flows AS f CROSS JOIN automations AS a ON a.seq = f.automation
     WHERE f.automation = ? AND a.status <> 'DELETED'`,
  );
  const admit = admitStarts(sqlite);
  const advance = advanceRuns(database);
  // So that its statements are defined when the store opens, as all are.
  longOptOut(sqlite);
  const runs = enrollmentMoves(sqlite);
  const book = nodeBook(sqlite);
  const staying = stayingStarts(sqlite);

  return {
    ...readers(database, seqOf),
    ...schedule(database),
    spread: spreadTriggers(database),
    flow: async (automation) =>
      JSON.parse(present(flow.get(automation), "flow of an automation").flow) as Flow,

    admit: (automation, slice, rule) =>
      writes.write(() => {
        if (current(automation) === null) return { ...NOTHING, stale: true };
        return { ...NOTHING, ...admit(automation, slice, rule) };
      }),

    async advance(automation, slice, rule) {
      const advanced = await writes.write(() => {
        const workspace = current(automation);
        if (workspace === null) return { ...NOTHING, stale: true, longRead: null, optsOut: null };
        const { passages, ...done } = advance(automation, workspace, slice, rule);
        book(automation.number, tallyOf(passages));
        return { ...NOTHING, ...done };
      });
      const { longRead, optsOut, ...result } = advanced;
      if (optsOut !== null)
        await longWrites.write((connection) => longOptOut(connection)(automation, optsOut, slice.now));
      else if (longRead !== null) await readToEnd(longRead);
      else return result;
      // Its run can go on now.
      return { ...result, done: result.done + 1 };
    },

    settleCall: (call, ending, now) =>
      writes.write(() => {
        const run = runs.find(call.enrollment);
        if (run === null || run.state.steps !== call.steps) return;
        const stored = currentFlow.get(run.automation);
        if (stored === null) return;
        const flowNow = JSON.parse(stored.flow) as Flow;
        const { move, passage } = afterCall(run, call, ending, { flow: flowNow, now });
        runs.move(move, now);
        if (endsStay(move, now)) staying.callNext(run.automation, run.contact, now);
        if (passage === null) return;
        book(run.automation, tallyOf([passage]));
      }),

    clearDeleted: clearing(database),
    drawIn: drawInSlices(database),
    ...heldRuns(database, seqOf),
  };
}

/** Which automations have work to do, and when. */
function schedule({ sqlite, writes }: SqliteDatabase): Pick<RunStore, "due" | "nextDueAt" | "onStarts"> {
  const never = Number.MAX_SAFE_INTEGER;
  const due = sqlite.query<DueRow, { never: number; now: number }>(
    `SELECT number, h.id, w.id AS workspaceId, flowVersion, runAt, startAt FROM (${HEADS}) h CROSS JOIN workspaces w ON w.seq = h.workspace
     WHERE min(runAt, startAt) <= $now`,
  );
  const nextDue = sqlite.query<{ at: number | null }, { never: number }>(
    `SELECT min(min(runAt, startAt)) AS at FROM (${HEADS}) WHERE min(runAt, startAt) < $never`,
  );
  const oldestTrigger = sqlite.query<Row<typeof automationTriggers, "createdAt">, []>(
    "SELECT created_at AS createdAt FROM automation_triggers WHERE seq > 0 ORDER BY seq LIMIT 1",
  );
  const newestStart = sqlite.query<{ seq: number | null }, []>(
    "SELECT max(seq) AS seq FROM automation_starts",
  );
  const newestTrigger = sqlite.query<{ seq: number | null }, []>(
    "SELECT max(seq) AS seq FROM automation_triggers",
  );
  const newest = (of: typeof newestStart) => (): number => present(of.get(), "newest start").seq ?? 0;

  return {
    due: async (now) =>
      due.all({ never, now }).map(({ runAt, startAt, ...automation }) => ({
        ...automation,
        dueAt: Math.min(runAt, startAt),
        hasStarts: startAt <= now,
      })),
    nextDueAt: async () =>
      oldestTrigger.get()?.createdAt ?? present(nextDue.get({ never }), "time of the next run").at,
    onStarts(listener) {
      for (const of of [newestStart, newestTrigger]) onNewer(writes, newest(of), listener);
    },
  };
}

/** Removes the rows of deleted automations in slices: a million enrollments at once would make everybody wait. */
function clearing({ sqlite, writes }: SqliteDatabase): RunStore["clearDeleted"] {
  const oldest = sqlite.query<Row<typeof automations, "seq">, []>(
    "SELECT seq FROM automations WHERE status = 'DELETED' ORDER BY seq LIMIT 1",
  );
  const some = (table: string) =>
    sqlite.query<null, [number, number]>(
      `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE automation = ? LIMIT ?)`,
    );
  const [starts, enrollments] = [some("automation_starts"), some("enrollments")];
  const counts = sqlite.query<null, [number]>("DELETE FROM enrollment_counts WHERE automation = ?");
  const nodes = sqlite.query<null, [number]>("DELETE FROM automation_nodes WHERE automation = ?");
  const remove = sqlite.query<null, [number]>("DELETE FROM automations WHERE seq = ?");

  return async (rowsMax) => {
    if (oldest.get() === null) return false;
    return writes.write(() => {
      const row = oldest.get();
      if (row === null) return false;
      if (starts.run(row.seq, rowsMax).changes + enrollments.run(row.seq, rowsMax).changes > 0) return true;
      for (const statement of [counts, nodes, remove]) statement.run(row.seq);
      return true;
    });
  };
}

function readers(
  database: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<RunStore, "liquidSource" | "walkFacts"> {
  const { sqlite } = database;
  const facts = factsReader(database);
  const mailed = sqlite.query<MailedRow, [number]>(
    "SELECT d.contact, s.event FROM deliveries d LEFT JOIN automation_deliveries s ON s.delivery = d.seq WHERE d.seq = ?",
  );
  const contactOf = sqlite.query<Row<typeof contacts, "seq">, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND email = ?",
  );
  const automationOf = sqlite.query<Row<typeof automations, "seq">, [string]>(
    "SELECT seq FROM automations WHERE id = ?",
  );

  return {
    async liquidSource(message) {
      const row = mailed.get(message);
      if (row === null || row.contact === null) return null;
      const contact = facts.contact(row.contact);
      return contact && { contact, event: facts.event(row.event) };
    },

    async walkFacts(workspaceId, automationId, email, needed, stranger) {
      const workspace = seqOf(workspaceId);
      const contact = contactOf.get(workspace, email)?.seq ?? 0;
      const automation = automationOf.get(automationId)?.seq ?? 0;
      const whose = { enrollment: null, workspace, automation, contact, event: null };
      const person = facts.contact(contact) ?? stranger;
      const found = await afterLongReads(() => facts.about(whose, needed, person));
      return { facts: found, exists: contact !== 0 };
    },
  };
}
