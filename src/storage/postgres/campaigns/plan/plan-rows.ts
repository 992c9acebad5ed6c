import type { Session } from "#storage/postgres/engine/session.ts";

/** Call it with the mailing locked. */
export async function forgetPlanContacts(tx: Session, mailing: number): Promise<void> {
  await tx.run("DELETE FROM plan_contacts WHERE mailing = $1", [mailing]);
}

/** What only a plan needs. It is deleted when the plan is over, however it ended. */
const FORGET = ["mailing_exclusions", "mailing_audiences", "plans"].map(
  (table) => `DELETE FROM ${table} WHERE mailing = $1`,
);

/** Call it with the mailing locked. */
export async function forgetPlan(tx: Session, mailing: number): Promise<void> {
  await forgetPlanContacts(tx, mailing);
  for (const statement of FORGET) await tx.run(statement, [mailing]);
}
