import { standsByAddress } from "#contacts/consent/consent.ts";
import type { Upsert } from "#contacts/store.ts";
import type { Result } from "#core/errors/errors.ts";
import {
  answersOf,
  decideEach,
  newAndKnown,
  cutAtRepeats,
  type DecideFor,
  type Written,
} from "#storage/common/contacts/contact-batch.ts";
import { decideOnNames } from "#storage/postgres/attributes/name-limit.ts";
import { reasonsOf } from "#storage/postgres/consent/suppression-writes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { contactOf, type ContactRow } from "./contact-row.ts";
import { addAll, holdByEmail, saveAll } from "./contact-writes.ts";

/**
 * A transaction that makes a contact takes this lock before it reads the address's suppression. An opt-out of an
 * address without a contact excludes all of them meanwhile (`keepOutNewContacts`), so neither misses the other's
 * writes.
 */
const BEFORE_NEW_CONTACTS = "SELECT FROM workspaces WHERE seq = $1 FOR KEY SHARE";
const KEEP_OUT = "SELECT FROM workspaces WHERE seq = $1 FOR UPDATE";

/** Call it if a contact may be made, and read suppressions only afterwards. */
export async function beforeNewContacts(tx: Session, workspace: number): Promise<void> {
  await tx.run(BEFORE_NEW_CONTACTS, [workspace]);
}

/** Until the transaction ends, nobody makes a contact in the workspace. Waits for transactions that are about to. */
export async function keepOutNewContacts(tx: Session, workspace: number): Promise<void> {
  await tx.run(KEEP_OUT, [workspace]);
}

/**
 * Many addresses at once, on an open transaction. New contacts get their rows together, in the order given. If an
 * address comes twice, the second finds what the first wrote. A refused address leaves no trace.
 * @throws LostRace if another transaction has made one of the contacts meanwhile
 */
export async function writeContacts<T extends Upsert>(
  tx: Session,
  workspace: number,
  people: readonly T[],
  decide: DecideFor<T>,
): Promise<Result<Written>[]> {
  const runs = [...cutAtRepeats(people)];
  const written: Result<Written>[] = [];
  // All of them first, and in one order.
  let held = await holdByEmail(
    tx,
    workspace,
    people.map(({ email }) => email),
  );
  for (const [n, run] of runs.entries()) {
    if (n > 0)
      held = await holdByEmail(
        tx,
        workspace,
        run.map(({ email }) => email),
      );
    written.push(...(await writeRun(tx, workspace, run, held, decide)));
  }
  return written;
}

async function writeRun<T extends Upsert>(
  tx: Session,
  workspace: number,
  people: readonly T[],
  held: ReadonlyMap<string, ContactRow>,
  decide: DecideFor<T>,
): Promise<Result<Written>[]> {
  const emails = people.map(({ email }) => email);
  if (emails.some((email) => !held.has(email))) await beforeNewContacts(tx, workspace);
  const doubtful = emails.filter((email) => standsByAddress(held.get(email)?.status ?? null));
  const reasons =
    doubtful.length > 0 ? await reasonsOf(tx, workspace, doubtful) : new Map<string, SuppressionReason>();
  const find = ({ email }: T) => {
    const row = held.get(email) ?? null;
    return { row, contact: row && contactOf(row), suppression: reasons.get(email) ?? null };
  };
  const decideAll = (holders: ReadonlyMap<string, number>) =>
    decideEach(people, find, new Map(holders), decide);
  const decided = people.some(({ setsAttributes }) => setsAttributes)
    ? await decideOnNames(tx, workspace, decideAll)
    : decideAll(new Map());
  const { added, changed } = newAndKnown(decided);
  const made = await addAll(tx, workspace, added);
  return answersOf(decided, made, await saveAll(tx, workspace, changed));
}
