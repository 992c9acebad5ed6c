import type { PlanStore } from "#campaigns/send/plan.ts";
import type { Instant } from "#core/time/clock.ts";
import { audienceToSettle } from "#storage/common/campaigns/plan-audience.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { TimedTurn, TimedTurns } from "#storage/common/engine/short-turn-first.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { lists, mailingAudiences, mailings } from "#storage/postgres/schema/schema.ts";
import { longSettings, tooLongOr } from "#storage/postgres/segments/long-questions.ts";
import { StatementValues } from "#storage/postgres/segments/statement-values.ts";
import { audienceSql } from "#storage/postgres/campaigns/audience-sql.ts";

type Unsettled = Row<typeof mailingAudiences, "audience"> &
  Row<typeof mailings, "list"> & { listId: Value<typeof lists, "id"> | null };

const LOCK_UNSETTLED = `SELECT a.audience, m.list, l.id AS list_id
  FROM mailing_audiences AS a JOIN mailings AS m ON m.seq = a.mailing LEFT JOIN lists AS l ON l.seq = m.list
  WHERE a.mailing = $1 AND NOT a.settled FOR NO KEY UPDATE OF a`;
const SETTLED = "UPDATE mailing_audiences SET settled = true WHERE mailing = $1";

/**
 * Settles a plan's audience, in one snapshot, before anybody is planned. A plan that continues elsewhere keeps the
 * same audience.
 * @throws QuestionTooLong, which does not pass by itself, if it takes longer than a question may: it would take as long
 * again
 */
export function planSettling({ write, seqOf }: PostgresDatabase, turns: TimedTurns): PlanStore["settle"] {
  return async ({ number, workspaceId }, now) => {
    const workspace = await seqOf(workspaceId);
    await turns(workspace, (turn) =>
      write((tx) => settle(tx, { number, workspace, turn }, now)).catch((error: unknown) => {
        throw tooLongOr(error);
      }),
    );
  };
}

async function settle(
  tx: Session,
  {
    number,
    workspace,
    turn,
  }: { readonly number: number; readonly workspace: number; readonly turn: TimedTurn },
  now: Instant,
): Promise<void> {
  const row = await tx.row<Unsettled>(LOCK_UNSETTLED, [number]);
  if (row === null) return;
  await tx.rows(longSettings(turn));
  const values = new StatementValues();
  const mailing = values.add(number, "int8");
  const { of, asked, excluded } = await audienceSql(tx, workspace, audienceToSettle(row), { now, values });
  await tx.run(
    `${of.with} INSERT INTO plan_contacts (mailing, contact, excluded)
     SELECT ${mailing}, c.seq, ${excluded} FROM contacts AS c WHERE ${asked}`,
    values.all,
  );
  await tx.run(SETTLED, [number]);
}
