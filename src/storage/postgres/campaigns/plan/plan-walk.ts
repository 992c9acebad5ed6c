/**
 * Plans an audience in stretches, in the order of its contacts' numbers. Each stretch is one statement that orders
 * the rows by address, because neighbours in the index share its pages.
 *
 * Who is on a list is read during the walk. Who is in a segment was settled before (`plan-audience.ts`).
 */
import type { PlanStore, PlanWork } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { newAccount } from "#deliveries/moves/account.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Turns } from "#storage/common/engine/at-most-at-once.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { barringJoins } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { countIn } from "#storage/postgres/ledger/moves/tally.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings } from "#storage/postgres/schema/schema.ts";

/** Long enough that several of its addresses share a page, short enough that stopping the send waits only a moment. */
export const STRETCH_CONTACTS = 50_000;
/** The part of a mailing that a node takes as a whole. */
export const SLICE_ROWS = 1_000;

/** Leaving the list waits for this lock, and so does stopping the send. */
const LOCK = `SELECT m.list, m.planned_through, EXISTS (SELECT FROM mailing_audiences WHERE mailing = m.seq) AS is_settled
  FROM mailings AS m JOIN plans AS p ON p.mailing = m.seq
  WHERE m.seq = $1 AND m.phase = 'planning' AND p.node = $2 AND NOT p.given_up FOR NO KEY UPDATE OF m, p`;
const PHASE = "SELECT phase FROM mailings WHERE seq = $1";

/** The next contacts, by number: on the list, or in the settled audience. */
const onList = (
  list: string,
  after: string,
): string => `SELECT m.contact, false AS excluded FROM list_members AS m
  WHERE m.list = ${list} AND m.status = 'SUBSCRIBED' AND m.contact > ${after}`;
const inAudience = (mailing: string, after: string): string =>
  `SELECT p.contact, p.excluded FROM plan_contacts AS p WHERE p.mailing = ${mailing} AND p.contact > ${after}`;
/** The list is one of the audience's conditions, if there is one. */
const STILL_ON_LIST = `($2::int8 IS NULL OR EXISTS (SELECT FROM list_members AS m
  WHERE m.contact = p.contact AND m.list = $2 AND m.status = 'SUBSCRIBED'))`;

const reachSql = (who: string): string =>
  `SELECT max(contact) AS through, count(*) AS n FROM (${who} ORDER BY contact LIMIT $3) AS next`;
const REACH = { list: reachSql(onList("$1", "$2")), audience: reachSql(inAudience("$1", "$2")) };

/**
 * Every contact that the plan looks at gets a row, including those who will be skipped.
 *
 * The contacts stay until their rows are committed, because deleting one clears only rows that it sees. A lock on
 * each is dearer than one on the mailing or the workspace, but closes the gap alone: a contact may be deleted while
 * a plan begins. And of all deletions only those of these very contacts wait for the stretch.
 */
const planSql = (who: string): string => `WITH planned AS (
    INSERT INTO deliveries (mailing, contact, address, state, reason)
    SELECT $1::int8, contact, email, CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END, reason FROM (
      SELECT c.seq AS contact, c.email, CASE
        WHEN next.excluded OR x.address IS NOT NULL THEN 'EXCLUDED'
        WHEN s.address IS NOT NULL THEN 'SUPPRESSED'
        WHEN b.domain IS NOT NULL THEN 'BLOCKED_DOMAIN' END AS reason
      FROM (${who}) AS next JOIN contacts AS c ON c.seq = next.contact AND c.status = 'SUBSCRIBED'
      LEFT JOIN mailing_exclusions AS x ON x.mailing = $1 AND x.address = c.email
      ${barringJoins("c.workspace", "c.email")} FOR KEY SHARE OF c) AS asked
    ORDER BY email ON CONFLICT DO NOTHING RETURNING seq, state, reason),
  parts AS (
    SELECT seq, (row_number() OVER (ORDER BY seq) - 1) / ${SLICE_ROWS} AS part FROM planned WHERE state = 'queued'),
  cut AS (
    INSERT INTO slices (mailing, n, lo, hi)
    SELECT $1::int8, part + (SELECT coalesce(max(n) + 1, 0) FROM slices WHERE mailing = $1), min(seq), max(seq)
    FROM parts GROUP BY part),
  ended AS (
    INSERT INTO delivery_ends (mailing, state, message, reason)
    SELECT $1::int8, 'skipped', seq, reason FROM planned WHERE state = 'skipped')
  SELECT reason, count(*) AS n FROM planned GROUP BY reason`;
const PLAN = {
  list: planSql(`${onList("$2", "$3")} AND m.contact <= $4`),
  audience: planSql(`${inAudience("$1", "$3")} AND p.contact <= $4 AND ${STILL_ON_LIST}`),
};
const PLANNED_THROUGH = "UPDATE mailings SET planned_through = $2 WHERE seq = $1";
const COUNT_SKIPS = `INSERT INTO mailing_skips (mailing, reason, n)
  SELECT $1::int8, * FROM unnest($2::text[], $3::int8[])`;

type WalkedRow = Row<typeof mailings, "list" | "plannedThrough"> & { isSettled: boolean };
type Counted = { readonly reason: string | null; readonly n: number };

export function planWalk(
  { write, seqOf }: PostgresDatabase,
  own: OwnNode,
  { turns, stretchContacts }: { readonly turns: Turns; readonly stretchContacts: number },
): PlanStore["planNext"] {
  const next = (number: number): Promise<PlanWork> =>
    write(async (tx) => {
      const walked = await tx.row<WalkedRow>(LOCK, [number, own.number]);
      // Completing the plan shows what became of it, since this node no longer makes it.
      if (walked === null) return (await hasEnded(tx, number)) ? "stopped" : "end";
      const { list, plannedThrough: after, isSettled } = walked;
      const of = isSettled ? "audience" : "list";
      const asked = [isSettled ? number : list, after, stretchContacts];
      const reached = await tx.row<{ through: number | null; n: number }>(REACH[of], asked);
      const { through, n } = present(reached, "end of a stretch");
      if (through === null) return "end";
      const counted = await tx.rows<Counted>(PLAN[of], [number, list, after, through]);
      await count(tx, number, counted);
      await tx.run(PLANNED_THROUGH, [number, through]);
      return n < stretchContacts ? "end" : "write";
    });
  return async ({ number, workspaceId }) => {
    const workspace = await seqOf(workspaceId);
    return await turns(workspace, () => next(number));
  };
}

/** A plan that was taken back has no mailing. */
async function hasEnded({ row }: Session, mailing: number): Promise<boolean> {
  const found = await row<Row<typeof mailings, "phase">>(PHASE, [mailing]);
  return found !== null && found.phase !== "planning";
}

async function count(tx: Session, mailing: number, counted: readonly Counted[]): Promise<void> {
  const skips = counted.filter(({ reason }) => reason !== null);
  const sumOf = (some: readonly Counted[]): number => some.reduce((sum, { n }) => sum + n, 0);
  const [planned, skipped] = [sumOf(counted), sumOf(skips)];
  await countIn(tx, mailing, { ...newAccount(), queued: planned - skipped, skipped }, planned);
  if (skips.length > 0)
    await tx.run(COUNT_SKIPS, [mailing, skips.map(({ reason }) => reason), skips.map(({ n }) => n)]);
}
