import type { Session } from "#storage/postgres/engine/session.ts";

/** What only a plan needs: it goes when the plan is over, however it ended. */
const FORGET = ["mailing_exclusions", "mailing_audiences", "plan_contacts", "plans"].map(
  (table) => `DELETE FROM ${table} WHERE mailing = $1`,
);

/** Call it with the mailing locked. */
export async function forgetPlan(tx: Session, mailing: number): Promise<void> {
  for (const statement of FORGET) await tx.run(statement, [mailing]);
}
