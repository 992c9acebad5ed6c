import type { Database } from "bun:sqlite";
import type { ContactWrite, FoundContact } from "#contacts/contact-write.ts";
import type { Upsert, Upserted } from "#contacts/store.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";

/**
 * Many addresses at once, on an open transaction, by a few statements for all of them. New contacts get their rows in the order given;
 * of two with the same address the second finds what the first wrote.
 */
export function contactBatches(sqlite: Database) {
  const rowsOf = sqlite.query<ContactRow, [string, number]>(
    `SELECT ${CONTACT_COLUMNS} FROM json_each(?1) AS wanted
     CROSS JOIN contacts AS c ON c.workspace = ?2 AND c.email = wanted.value`,
  );
  const suppressionsOf = sqlite.query<{ address: string; reason: SuppressionReason }, [string, number]>(
    `SELECT s.address, s.reason FROM json_each(?1) AS wanted
     CROSS JOIN suppressions AS s ON s.workspace = ?2 AND s.address = wanted.value`,
  );
  const { save, addAll } = contactWrites(sqlite);
  type Written = Upserted & { readonly seq: number };

  const writeRun = <T extends Upsert>(
    workspace: number,
    people: readonly T[],
    decide: (person: T, found: FoundContact) => ContactWrite,
  ): Written[] => {
    const wanted = JSON.stringify(people.map(({ email }) => email));
    const rows = new Map(rowsOf.all(wanted, workspace).map((row) => [row.email, row]));
    const reasons = new Map(
      suppressionsOf.all(wanted, workspace).map(({ address, reason }) => [address, reason]),
    );
    const decided = people.map((person) => {
      const row = rows.get(person.email);
      const contact = row === undefined ? null : contactOf(row);
      const write = decide(person, { contact, suppression: reasons.get(person.email) ?? null });
      return { fresh: person.fresh, row, write };
    });
    const added = addAll(
      workspace,
      decided.filter(({ row }) => row === undefined),
    ).values();
    return decided.map(({ row, write }) =>
      row === undefined
        ? { ...added.next().value!, created: true }
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
