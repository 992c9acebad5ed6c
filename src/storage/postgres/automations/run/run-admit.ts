import { staysUntil, type EnrollHistory } from "#automations/run/enroll.ts";
import { enter, type NodeTally } from "#automations/run/node-tally.ts";
import { newRun } from "#automations/run/step/step-outcome.ts";
import type { AdmitRule, DueAutomation, RunStore, Slice, SliceResult } from "#automations/run/store.ts";
import { present } from "#core/present.ts";
import { storableText } from "#core/text/stored-text.ts";
import { storedTrigger } from "#storage/common/automations/stored-trigger.ts";
import { NOTHING } from "#storage/common/automations/slice-result.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { automationStarts } from "#storage/postgres/schema/schema.ts";
import { callNext, stay } from "#storage/postgres/automations/staying-starts.ts";
import { bookNodes } from "#storage/postgres/automations/node-counts.ts";
import { historiesOf } from "./run-histories.ts";
import { holdLive, tryTo } from "./run-hold.ts";

/** How many starts share a transaction. */
const STARTS_AT_ONCE = 200;

type StartRow = Row<
  typeof automationStarts,
  "seq" | "contact" | "kind" | "detail" | "event" | "depth" | "createdAt" | "nextTryAt" | "attempts"
>;
type Work = { readonly automation: DueAutomation; readonly slice: Slice; readonly rule: AdmitRule };
type Admitted = Pick<SliceResult, "done" | "crashes">;

// The contacts are locked too, so that nobody else admits them here at the same time. A contact that is being
// changed is skipped: the trigger stays due.
const DUE = `SELECT s.seq, s.contact, s.kind, s.detail, s.event, s.depth, s.created_at, s.next_try_at, s.attempts
  FROM automation_starts AS s JOIN contacts AS c ON c.seq = s.contact
  WHERE s.automation = $1 AND s.next_try_at <= $2 AND ($4::int8 IS NULL OR s.seq = $4)
  ORDER BY s.next_try_at, s.seq LIMIT $3 FOR UPDATE OF s SKIP LOCKED FOR NO KEY UPDATE OF c SKIP LOCKED`;
const DUE_SEQS = `SELECT seq FROM automation_starts WHERE automation = $1 AND next_try_at <= $2
  ORDER BY next_try_at, seq LIMIT $3`;
// Starts before the last one taken that were skipped, because somebody had their contact.
const SKIPPED = `SELECT contact FROM automation_starts
  WHERE automation = $1 AND (next_try_at, seq) < ($2, $3) AND seq <> ALL($4::int8[])`;
const REMOVE = "DELETE FROM automation_starts WHERE seq = ANY($1::int8[])";
const ENROLL = `INSERT INTO enrollments (id, automation, contact, event, depth, status, node, next_run_at, enrolled_at)
  SELECT e.id, $1, e.contact, e.event, e.depth, 'ACTIVE', e.node, $2::int8, $2::int8
  FROM unnest($3::text[], $4::int8[], $5::int8[], $6::int4[], $7::text[])
    WITH ORDINALITY AS e (id, contact, event, depth, node, n) ORDER BY e.n`;
const PUT_OFF = `UPDATE automation_starts AS s SET attempts = s.attempts + 1, next_try_at = p.at, problem = p.problem
  FROM unnest($1::int8[], $2::int8[], $3::text[]) AS p (seq, at, problem) WHERE s.seq = ANY($1::int8[]) AND s.seq = p.seq`;

/**
 * Takes the triggers that wait for an automation. They share a transaction. If something throws in the database,
 * each gets its own transaction. One that throws is tried again later and stops no other.
 */
export function admitStarts({ read, write }: PostgresDatabase): RunStore["admit"] {
  const admit = (work: Work, limit: number, only: number | null) =>
    write((tx) => admitPart(tx, work, limit, only));

  const oneByOne = async (work: Work, limit: number): Promise<Admitted> => {
    const { automation, slice } = work;
    const crashes: unknown[] = [];
    let done = 0;
    const due = await read(({ rows }) =>
      rows<{ seq: number }>(DUE_SEQS, [automation.number, slice.now, limit]),
    );
    for (const { seq } of due) {
      const tried = await tryTo(() => admit(work, 1, seq));
      if (!tried.ok) await write((tx) => refuse(tx, work, seq, tried.error));
      done += tried.ok ? (tried.value?.done ?? 0) : 1;
      crashes.push(...(tried.ok ? (tried.value?.crashes ?? []) : [tried.error]));
    }
    return { done, crashes };
  };

  return async (automation, slice, rule) => {
    const work = { automation, slice, rule };
    const limit = Math.min(STARTS_AT_ONCE, slice.rowsMax);
    const tried = await tryTo(() => admit(work, limit, null));
    const admitted = tried.ok ? tried.value : await oneByOne(work, limit);
    return admitted === null ? { ...NOTHING, stale: true } : { ...NOTHING, ...admitted };
  };
}

/** Null: the automation has changed. */
async function admitPart(
  tx: Session,
  work: Work,
  limit: number,
  only: number | null,
): Promise<Admitted | null> {
  const { automation, slice, rule } = work;
  const { number } = automation;
  if ((await holdLive(tx, automation)) === null) return null;
  const due = await tx.rows<StartRow>(DUE, [number, slice.now, limit, only]);
  const histories = await historiesOf(tx, { automation: number, now: slice.now }, due);
  // After the runs are known: the end of a webhook's call may just have called for an older start.
  const starts = await inOrder(tx, number, due);
  const { entered, staying, left, refused } = decideAll(starts, histories, work);
  await stay(tx, staying);
  await tx.run(REMOVE, [[...entered.map(({ start }) => start), ...left].map(({ seq }) => seq)]);
  const places = left.map(({ contact }) => ({ automation: number, contact }));
  await callNext(tx, places, slice.now);
  await tx.run(ENROLL, [
    number,
    slice.now,
    entered.map(({ id }) => id),
    entered.map(({ start }) => start.contact),
    entered.map(({ start }) => start.event),
    entered.map(({ start }) => start.depth),
    entered.map(({ node }) => node),
  ]);
  await putOff(tx, rule, refused);
  const nodes: NodeTally = new Map();
  for (const { node } of entered) enter(nodes, node);
  await bookNodes(tx, number, nodes);
  return { done: starts.length, crashes: refused.map(({ error }) => error) };
}

type Entered = { readonly id: string; readonly node: string; readonly start: StartRow };
type Refused = { readonly start: StartRow; readonly error: unknown };

/** Without the starts of contacts who have an older one that was skipped: their order would be lost. */
async function inOrder(tx: Session, automation: number, starts: readonly StartRow[]): Promise<StartRow[]> {
  const last = starts.at(-1);
  if (last === undefined) return [];
  const seqs = starts.map(({ seq }) => seq);
  const skipped = await tx.rows<Pick<StartRow, "contact">>(SKIPPED, [
    automation,
    last.nextTryAt,
    last.seq,
    seqs,
  ]);
  const contacts = new Set(skipped.map(({ contact }) => contact));
  return starts.filter(({ contact }) => !contacts.has(contact));
}

/** One after the other: a contact's second trigger sees the result of the first. `left`: those that start nothing. */
function decideAll(
  starts: readonly StartRow[],
  histories: Map<number, EnrollHistory>,
  { slice: { now }, rule }: Work,
) {
  const entered: Entered[] = [];
  const staying: { seq: number; until: number }[] = [];
  const left: StartRow[] = [];
  const refused: Refused[] = [];
  for (const start of starts) {
    const { seq, contact, depth } = start;
    try {
      const entry = rule.entry(storedTrigger(start));
      const history = present(histories.get(contact), "earlier runs");
      const decision = entry === null ? "not-expected" : rule.enroll(entry, history, start);
      if (entry !== null && decision === "enroll") {
        entered.push({ id: rule.newId(), node: newRun(entry.nodeId).currentNodeId, start });
        const active = { waiting: false, nextRunAt: now };
        histories.set(contact, { ...history, active, everEnrolled: true });
      } else if (decision === "stay") {
        staying.push({ seq, until: staysUntil(present(history.active, "run that a start waits for"), now) });
        histories.set(contact, { ...history, causedStays: history.causedStays || depth > 0 });
      } else left.push(start);
    } catch (error) {
      refused.push({ start, error });
    }
  }
  return { entered, staying, left, refused };
}

/** A start that threw while it was being written. */
async function refuse(
  tx: Session,
  { automation, slice, rule }: Work,
  seq: number,
  error: unknown,
): Promise<void> {
  const [start] = await tx.rows<StartRow>(DUE, [automation.number, slice.now, 1, seq]);
  if (start !== undefined) await putOff(tx, rule, [{ start, error }]);
}

/** Starts that threw wait for another try, or are given up. */
async function putOff(tx: Session, rule: AdmitRule, refused: readonly Refused[]): Promise<void> {
  if (refused.length === 0) return;
  const tried = refused.map(({ start, error }) => ({
    seq: start.seq,
    problem: storableText(String(error)),
    at: rule.retryAt(start.attempts + 1, start.createdAt),
  }));
  const again = tried.flatMap(({ at, ...one }) => (at === null ? [] : [{ ...one, at }]));
  await tx.run(REMOVE, [tried.filter(({ at }) => at === null).map(({ seq }) => seq)]);
  await tx.run(PUT_OFF, [
    again.map(({ seq }) => seq),
    again.map(({ at }) => at),
    again.map(({ problem }) => problem),
  ]);
}
