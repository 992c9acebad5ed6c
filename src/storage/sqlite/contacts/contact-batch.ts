import type { Database } from "bun:sqlite";
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
import { contactOf } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";

/**
 * Many addresses at once, on an open transaction. New contacts get their rows together, in the order given. If an
 * address comes twice, the second finds what the first wrote. A refused address leaves no trace.
 */
export function contactBatches(sqlite: Database) {
  const { suppressionOf } = consentWrites(sqlite);
  const { byEmail, saveAll, addAll } = contactWrites(sqlite);
  const holdersIn = attributeHolders(sqlite);

  const writeRun = <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    holders: Map<string, number>,
    decide: DecideFor<T>,
  ): Result<Written>[] => {
    const find = ({ email }: T) => {
      const row = byEmail(workspace, email);
      const suppression = standsByAddress(row?.status ?? null) ? suppressionOf(workspace, email) : null;
      return { row, contact: row && contactOf(row), suppression };
    };
    const decided = decideEach(people, find, holders, decide);
    const { added, changed } = newAndKnown(decided);
    return answersOf(decided, addAll(workspace, added), saveAll(workspace, changed));
  };

  return <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: DecideFor<T>,
  ): Result<Written>[] => {
    const holders = people.some(({ setsAttributes }) => setsAttributes)
      ? holdersIn(workspace)
      : new Map<string, number>();
    return [...cutAtRepeats(people)].flatMap((run) => writeRun(workspace, run, holders, decide));
  };
}
