import type { Database } from "bun:sqlite";
import type { ContactWrite, FoundContact } from "#contacts/contact-plan.ts";
import type { Upsert, Upserted } from "#contacts/store.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { contactOf } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";
import { present } from "#core/present.ts";

/**
 * Many addresses at once, on an open transaction. New contacts get their rows together, in the order given; of two with the same
 * address the second finds what the first wrote.
 */
export function contactBatches(sqlite: Database) {
  const { suppressionOf } = consentWrites(sqlite);
  const { byEmail, save, addAll } = contactWrites(sqlite);
  type Written = Upserted & { readonly seq: number };

  const writeRun = <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: (person: T, found: FoundContact) => ContactWrite,
  ): Written[] => {
    const decided = people.map((person) => {
      const row = byEmail(workspace, person.email);
      const contact = row && contactOf(row);
      const suppression = row ? null : suppressionOf(workspace, person.email);
      return { fresh: person.fresh, row, write: decide(person, { contact, suppression }) };
    });
    const added = addAll(
      workspace,
      decided.filter(({ row }) => row === null),
    ).values();
    return decided.map(({ row, write }) =>
      row === null
        ? { ...present(added.next().value, "contact that was just made"), created: true }
        : { contact: save(workspace, row, write), seq: row.seq, created: false },
    );
  };

  return <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: (person: T, found: FoundContact) => ContactWrite,
  ): Written[] => [...runsWithoutRepeats(people)].flatMap((run) => writeRun(workspace, run, decide));
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
