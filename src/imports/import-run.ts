import { isOut } from "#contacts/contact.ts";
import { writeWeight } from "#contacts/write-weight.ts";
import type { Clock } from "#core/time/clock.ts";
import { invalid, type Result } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import { counted } from "#core/text/text.ts";
import { batches, type Pace } from "./batches.ts";
import type { CsvRow } from "./csv/csv-rows.ts";
import type { Kept, RowMessage } from "./import.ts";
import type { ImportOptions } from "./import-options.ts";
import { isPassedOver, planImport, planOptOut, rowOutcome } from "./import-plan.ts";
import { withoutFaults, type ImportRow } from "#imports/rows/import-row.ts";
import type { ImportPerson, ImportRules, ImportStore } from "./store.ts";

/** One reading of a file, from where the last one was kept to its end. */
export type ImportRun = {
  readonly workspaceId: string;
  /** The import whose progress is kept; null: nothing can continue this one. */
  readonly id: string | null;
  readonly rows: AsyncIterable<CsvRow>;
  parse(cells: readonly string[]): Result<ImportRow>;
  readonly options: ImportOptions;
  readonly pace: Pace;
  /** Called after each batch, when it is on the disk. */
  onKept(kept: Kept): void | Promise<void>;
  /** Whether to stop after this batch. */
  isStopped(): boolean;
};

type RowRead = { readonly row: CsvRow; readonly parsed: Result<ImportRow> };

/** `stopped`: there is more to read. `over`: a person ended the import. */
export type RunEnd = "done" | "stopped" | "over";

/**
 * Reads rows and writes them in batches. Each batch is written together with the import's progress, or not at all.
 * So after a crash the import continues behind the last row that was kept: no row twice, none lost.
 * @throws what reading the file or writing throws; what was kept before stays
 */
export async function runImport(
  {
    imports,
    clock,
    newId,
  }: { imports: Pick<ImportStore, "keep" | "rowsForWebhooks">; clock: Clock; newId: NewId },
  run: ImportRun,
): Promise<RunEnd> {
  const { workspaceId, id, options, parse } = run;
  const state: { end: RunEnd | null } = { end: null };
  let rowsForWebhooks = await imports.rowsForWebhooks(workspaceId);

  const write = async (read: readonly RowRead[], isLast: boolean): Promise<void> => {
    const at = clock.now();
    const people: ImportPerson[] = [];
    const messages: RowMessage[] = [];
    let unread = 0;
    for (const { row, parsed } of read) {
      const { line } = row;
      if (!parsed.ok) {
        unread += "problem" in row ? row.rows : 1;
        messages.push({ line, message: refusalText(row, parsed.refusal.message) });
        continue;
      }
      const { email, attributes } = parsed.value;
      const fresh = { id: newId("ct"), createdAt: at };
      people.push({ email, fresh, setsAttributes: attributes !== undefined, row: parsed.value, line });
    }
    const linesDone = read.at(-1)?.row.endLine ?? null;
    const batch = { people, unread, messages, listIds: options.listIds, linesDone, isLast, at };
    const kept = await imports.keep(workspaceId, id, batch, rulesFor(options, at));
    if (kept === null) state.end = "over";
    else {
      if (isLast) state.end = "done";
      else if (run.isStopped()) state.end = "stopped";
      await run.onKept(kept);
      rowsForWebhooks = await imports.rowsForWebhooks(workspaceId);
    }
  };

  const batch = batches(clock, run.pace, write);
  for await (const row of run.rows) {
    const parsed = "problem" in row ? invalid(row.problem) : parse(row.cells);
    const weight = (parsed.ok ? rowWeight(parsed.value, options, rowsForWebhooks) : 1) + readingWeight(row);
    const flushed = batch.add({ row, parsed }, weight, row.endLine !== null);
    if (flushed !== null) await flushed;
    if (state.end !== null) return state.end;
  }
  await batch.end();
  return state.end ?? "done";
}

/** Each list adds a row and an index entry. */
const rowWeight = (
  row: ImportRow,
  { listIds }: Pick<ImportOptions, "listIds">,
  rowsForWebhooks: number,
): number => writeWeight(row, rowsForWebhooks) + listIds.length / 4;

/** Reading a long row takes time too, most of all one with JSON. */
const readingWeight = (row: CsvRow): number =>
  "problem" in row ? 0 : row.cells.reduce((sum, { length }) => sum + length, 0) / 1_000;

const refusalText = (row: CsvRow, message: string): string =>
  "problem" in row && row.rows > 1
    ? `${message} (and ${counted(row.rows - 1, "more row", "more rows")} like it)`
    : message;

function rulesFor(options: ImportOptions, at: number): ImportRules {
  /** Why only the opt-out of a row was written. A transaction may decide twice. */
  const leftOut = new Map<ImportPerson, string>();
  return {
    decide(person, found) {
      const { row } = person;
      leftOut.delete(person);
      const write = planImport(found, row, options, at);
      if (write.ok || !isOut(row.status)) return write;
      leftOut.set(person, withoutFaults(row.status, write.refusal.message));
      return planOptOut(found, row, at);
    },
    settle(person, written) {
      const { row } = person;
      const isPassed = isPassedOver(!written.created, row, options);
      const outcome = rowOutcome(row, written, isPassed);
      // Of a contact that is kept, no field was written, so nothing was left out either.
      const warning = options.existing === "keep" && !written.created ? null : row.warning;
      return { outcome, joins: !isPassed, message: leftOut.get(person) ?? warning };
    },
  };
}
