import { present } from "#core/present.ts";
import type { Services } from "#app/services.ts";
import { importOutcome, parseImportRow, type ImportRow } from "#contacts/import-row.ts";
import { invalid } from "#core/errors.ts";
import type { Call } from "#commands/line/command.ts";
import { batches } from "./import-batches.ts";
import type { ImportSource } from "./import-source.ts";
import { progressBar } from "#commands/line/progress.ts";

export type ImportResult = {
  created: number;
  updated: number;
  skipped: number;
  /** Only the first `ERRORS_KEPT`: a file of another kind has an error in every line. */
  readonly errors: { line: number; message: string }[];
  /** The number of errors after those. */
  moreErrors: number;
};

const ERRORS_KEPT = 1_000;

type Target = {
  readonly services: Services;
  readonly workspaceId: string;
  readonly listId: string | undefined;
  /** Whether new subscribers and gained tags start automations. */
  readonly triggersAutomations: boolean;
};

/**
 * Writes every good row and collects the bad ones. Rows that were imported before a failure stay: importing
 * them again changes nothing.
 */
export async function importRows(call: Call, source: ImportSource, target: Target): Promise<ImportResult> {
  const { services, workspaceId, listId } = target;
  if (listId !== undefined) await services.lists.find(workspaceId, listId);
  const result: ImportResult = { created: 0, updated: 0, skipped: 0, errors: [], moreErrors: 0 };
  const bar = progressBar(call.clock, call.output);
  let count = 0;
  const addError = (line: number, message: string): void => {
    if (result.errors.length === ERRORS_KEPT) result.moreErrors++;
    else result.errors.push({ line, message });
  };
  const batch = batches<{ readonly row: ImportRow; readonly line: number }>(call.clock, async (lines) => {
    const rows = lines.map(({ row }) => row);
    const written = await services.contacts.importRows(workspaceId, rows, target);
    lines.forEach(({ row, line }, i) => {
      const outcome = present(written[i], "outcome of a row");
      if (outcome.ok) result[importOutcome(row, outcome.value)]++;
      else addError(line, outcome.refusal.message);
    });
    bar.show(source.doneShare(), `${count} rows`);
  });
  for await (const row of source.rows) {
    count++;
    const parsed =
      "problem" in row ? invalid(row.problem) : parseImportRow(source.header, row.cells, source.status);
    if (!parsed.ok) {
      addError(row.line, parsed.refusal.message);
      continue;
    }
    const flushed = batch.add({ row: parsed.value, line: row.line });
    if (flushed !== null) await flushed;
  }
  await batch.flush();
  bar.end();
  return result;
}
