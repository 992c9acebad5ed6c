import type { ContactWrite } from "#contacts/contact-plan.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { attributeHolders } from "./attribute-store.ts";

type Decision = Result<ContactWrite | { readonly write: ContactWrite }>;

/** Decides about contacts whose attributes are set, on an open transaction (`decideWithNames`). */
export const decideOnNames = <D extends Decision>(
  tx: Session,
  workspace: number,
  decideAll: (holders: ReadonlyMap<string, number>) => D[],
): Promise<D[]> =>
  decideWithNames(tx, workspace, decideAll, (decided) =>
    decided.flatMap((one) => (one.ok ? namesOf(one.value) : [])),
  );

/**
 * The decision depends on how many attribute names a workspace has. So two transactions that bring new names run
 * one after the other, and the second decides again.
 * @param namesIn the names that contacts get by a decision
 */
export async function decideWithNames<D>(
  tx: Session,
  workspace: number,
  decide: (holders: ReadonlyMap<string, number>) => D,
  namesIn: (decided: D) => readonly string[],
): Promise<D> {
  const holders = await attributeHolders(tx, workspace);
  const decided = decide(holders);
  if (namesIn(decided).every((name) => holders.has(name))) return decided;
  await lockWorkspace(tx, workspace);
  return decide(await attributeHolders(tx, workspace));
}

const namesOf = (decided: ContactWrite | { readonly write: ContactWrite }): string[] =>
  Object.keys(("write" in decided ? decided.write : decided).contact.attributes);
