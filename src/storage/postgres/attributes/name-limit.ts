import type { ContactWrite } from "#contacts/contact-plan.ts";
import type { Result } from "#core/errors.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { attributeHolders } from "./attribute-store.ts";

type Decision = Result<ContactWrite | { readonly write: ContactWrite }>;

/**
 * Decides on contacts whose attributes are set, on an open transaction. How many names there are stands in the rule:
 * so two transactions that bring new names follow each other, and the second is decided again.
 */
export async function decideOnNames<D extends Decision>(
  tx: Session,
  workspace: number,
  decideAll: (holders: ReadonlyMap<string, number>) => D[],
): Promise<D[]> {
  const holders = await attributeHolders(tx, workspace);
  const decided = decideAll(holders);
  const names = decided.flatMap((one) => (one.ok ? namesOf(one.value) : []));
  if (names.every((name) => holders.has(name))) return decided;
  await tx.run("SELECT FROM workspaces WHERE seq = $1 FOR NO KEY UPDATE", [workspace]);
  return decideAll(await attributeHolders(tx, workspace));
}

const namesOf = (decided: ContactWrite | { readonly write: ContactWrite }): string[] =>
  Object.keys(("write" in decided ? decided.write : decided).contact.attributes);
