import type { Database } from "bun:sqlite";
import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import { countHolders } from "#attributes/merge.ts";
import type { ContactWrite, FoundContact } from "#contacts/contact-plan.ts";
import type { Upsert, Upserted } from "#contacts/store.ts";
import { accept, type Result } from "#core/errors.ts";
import { attributeHolders } from "#storage/sqlite/attributes/attribute-store.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { contactOf, type ContactRow } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";
import { present } from "#core/present.ts";

type Decide<T> = (person: T, found: FoundContact) => Result<ContactWrite>;
type Written = Upserted & { readonly seq: number };

/** An address to write, and how; `row` is the contact's present row. */
type Decided = {
  readonly fresh: Upsert["fresh"];
  readonly row: ContactRow | null;
  readonly write: ContactWrite;
};

/**
 * Many addresses at once, on an open transaction. New contacts get their rows together, in the order given.
 * If an address comes twice, the second finds what the first wrote. A refused one leaves no trace.
 */
export function contactBatches(sqlite: Database) {
  const { suppressionOf } = consentWrites(sqlite);
  const { byEmail, saveAll, addAll } = contactWrites(sqlite);
  const holdersIn = attributeHolders(sqlite);

  const writeAll = (workspace: number, decided: readonly Decided[]): Written[] => {
    const added = addAll(
      workspace,
      decided.filter(({ row }) => row === null),
    ).values();
    const changed = saveAll(
      workspace,
      decided.flatMap(({ row, write }) => (row === null ? [] : [{ row, write }])),
    ).values();
    return decided.map(({ row }) =>
      row === null
        ? { ...present(added.next().value, "contact that was just made"), created: true }
        : {
            contact: present(changed.next().value, "contact that was just changed"),
            seq: row.seq,
            created: false,
          },
    );
  };

  const writeRun = <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    holders: Map<string, number>,
    decide: Decide<T>,
  ): Result<Written>[] => {
    const decided = people.map((person): Result<Decided> => {
      const row = byEmail(workspace, person.email);
      const contact = row && contactOf(row);
      const suppression = row ? null : suppressionOf(workspace, person.email);
      const write = decide(person, { contact, suppression, attributeHolders: holders });
      if (!write.ok) return write;
      // So that the next one is checked against what this one writes.
      if (person.setsAttributes)
        countHolders(holders, contact?.attributes ?? NO_ATTRIBUTES, write.value.contact.attributes);
      return accept({ fresh: person.fresh, row, write: write.value });
    });
    const written = writeAll(
      workspace,
      decided.flatMap((one) => (one.ok ? [one.value] : [])),
    ).values();
    return decided.map((one) =>
      one.ok ? accept(present(written.next().value, "person that was just written")) : one,
    );
  };

  return <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: Decide<T>,
  ): Result<Written>[] => {
    const holders = people.some(({ setsAttributes }) => setsAttributes)
      ? holdersIn(workspace)
      : new Map<string, number>();
    return [...runsWithoutRepeats(people)].flatMap((run) => writeRun(workspace, run, holders, decide));
  };
}

/** Cut before every address that the run has already. */
function* runsWithoutRepeats<T extends Upsert>(people: readonly T[]): Generator<T[]> {
  let run: T[] = [];
  let addresses = new Set<string>();
  for (const person of people) {
    if (addresses.has(person.email)) {
      yield run;
      run = [];
      addresses = new Set();
    }
    run.push(person);
    addresses.add(person.email);
  }
  if (run.length > 0) yield run;
}
