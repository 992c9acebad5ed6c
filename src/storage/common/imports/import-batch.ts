import type { Upserted } from "#contacts/store.ts";
import type { Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { NO_COUNTS, type ImportCounts, type Kept, type RowMessage } from "#imports/import.ts";
import type { ImportBatch, ImportRules } from "#imports/store.ts";

/** The result of a batch, from what was written for each person, and the row numbers of those who join its lists. */
export function batchKept(
  { people, unread, messages: said }: ImportBatch,
  written: readonly Result<Upserted & { readonly seq: number }>[],
  { settle }: ImportRules,
): { readonly kept: Kept; readonly joining: readonly number[] } {
  const counts: Record<keyof ImportCounts, number> = {
    ...NO_COUNTS,
    rows: people.length + unread,
    failed: unread,
  };
  const messages: RowMessage[] = [...said];
  const joining: number[] = [];
  for (const [i, result] of written.entries()) {
    const person = present(people[i], "person of a result");
    if (!result.ok) {
      counts.failed++;
      messages.push({ line: person.line, message: result.refusal.message });
      continue;
    }
    const { outcome, joins, message } = settle(person, result.value);
    if (message !== null) messages.push({ line: person.line, message, isWarning: true });
    counts[outcome]++;
    if (joins) joining.push(result.value.seq);
  }
  return { kept: { counts, messages: messages.toSorted((a, b) => a.line - b.line) }, joining };
}
