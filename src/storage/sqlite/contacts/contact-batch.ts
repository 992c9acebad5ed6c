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
import { attributeHolders } from "#storage/sqlite/attributes/attribute-store.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { contactOf } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";

/**
 * Many addresses at once, on an open transaction. New contacts get their rows together, in the order given. If an
 * address comes twice, the second finds what the first wrote. A refused address leaves no trace. It yields where people
 * leave very many lists.
 */
export const contactBatches = oncePerDatabase((sqlite) => {
  const { suppressionOf } = consentWrites(sqlite);
  const { byEmail, leaveMany, saveAll, addAll } = contactWrites(sqlite);
  const holdersIn = attributeHolders(sqlite);

  const writeRun = function* <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    holders: Map<string, number>,
    decide: DecideFor<T>,
  ): Generator<void, Result<Written>[], void> {
    const find = ({ email }: T) => {
      const row = byEmail(workspace, email);
      const suppression = standsByAddress(row?.status ?? null) ? suppressionOf(workspace, email) : null;
      return { row, contact: row && contactOf(row), suppression };
    };
    const decided = decideEach(people, find, holders, decide);
    const { added, changed } = newAndKnown(decided);
    yield* leaveMany(changed);
    return answersOf(decided, addAll(workspace, added), saveAll(workspace, changed));
  };

  return function* <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: DecideFor<T>,
  ): Generator<void, Result<Written>[], void> {
    const holders = people.some(({ setsAttributes }) => setsAttributes)
      ? holdersIn(workspace)
      : new Map<string, number>();
    const written: Result<Written>[] = [];
    for (const run of cutAtRepeats(people))
      written.push(...(yield* writeRun(workspace, run, holders, decide)));
    return written;
  };
});
