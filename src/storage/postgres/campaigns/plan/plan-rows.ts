import { Fenced } from "#core/errors/fenced.ts";
import { present } from "#core/present.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";

const HOLD_NODE = "SELECT FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE";

/** This node's number. It cannot be fenced before the transaction ends, so a later fencing frees what it takes now. */
export async function holdNode(tx: Session, own: OwnNode): Promise<number> {
  const number = present(own.number, "node that has joined");
  if ((await tx.row(HOLD_NODE, [number])) === null) throw new Fenced();
  return number;
}

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
