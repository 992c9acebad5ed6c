/** Many addresses that are written together: what is decided for each, and in which order. */
import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import { countHolders } from "#attributes/merge.ts";
import type { ContactWrite, FoundContact } from "#contacts/contact-plan.ts";
import type { Upsert, Upserted } from "#contacts/store.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";

export type DecideFor<T> = (person: T, found: FoundContact) => Result<ContactWrite>;

/** `seq`: the number of the contact's row. */
export type Written = Upserted & { readonly seq: number };

/** A decision about one address; `row` is the contact's current row. */
export type Decided<Row> = {
  readonly fresh: Upsert["fresh"];
  readonly row: Row | null;
  readonly write: ContactWrite;
};

/** What is stored for an address; `row` and `contact` are the same in two forms. */
type Found<Row> = Pick<FoundContact, "contact" | "suppression"> & { readonly row: Row | null };

/** @param holders updated with each decision, so that the next one is checked against it */
export function decideEach<T extends Upsert, Row>(
  people: readonly T[],
  find: (person: T) => Found<Row>,
  holders: Map<string, number>,
  decide: DecideFor<T>,
): Result<Decided<Row>>[] {
  return people.map((person) => {
    const { row, contact, suppression } = find(person);
    const write = decide(person, { contact, suppression, attributeHolders: holders });
    if (!write.ok) return write;
    if (person.setsAttributes)
      countHolders(holders, contact?.attributes ?? NO_ATTRIBUTES, write.value.contact.attributes);
    return accept({ fresh: person.fresh, row, write: write.value });
  });
}

/** The new contacts among the decisions, and the changed ones. */
export function newAndKnown<Row>(decided: readonly Result<Decided<Row>>[]): {
  readonly added: Pick<Decided<Row>, "fresh" | "write">[];
  readonly changed: { readonly row: Row; readonly write: ContactWrite }[];
} {
  const accepted = decided.flatMap((one) => (one.ok ? [one.value] : []));
  return {
    added: accepted.filter(({ row }) => row === null),
    changed: accepted.flatMap(({ row, write }) => (row === null ? [] : [{ row, write }])),
  };
}

/** The answers in the order of the decisions, from the written rows of each kind in the same order. */
export function answersOf<Row extends { readonly seq: number }>(
  decided: readonly Result<Decided<Row>>[],
  added: readonly Omit<Written, "created">[],
  changed: readonly Upserted["contact"][],
): Result<Written>[] {
  const [made, saved] = [added.values(), changed.values()];
  return decided.map((one) => {
    if (!one.ok) return one;
    const { row } = one.value;
    if (row === null)
      return accept({ ...present(made.next().value, "contact that was just made"), created: true });
    const contact = present(saved.next().value, "contact that was just changed");
    return accept({ contact, seq: row.seq, created: false });
  });
}

/** Cuts the list before every address that the current run already has. */
export function* cutAtRepeats<T extends Upsert>(people: readonly T[]): Generator<T[]> {
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
