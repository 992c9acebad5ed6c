import { statSync } from "node:fs";
import type { Services } from "#app.ts";
import {
  importOutcome,
  parseImportHeader,
  parseImportRow,
  parseImportStatus,
  type ImportHeader,
  type ImportRow,
} from "#contacts/import-row.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import { invalid } from "#core/errors.ts";
import { quoted } from "#core/text.ts";
import { PLACE, UsageError, type Call, type Command } from "./command.ts";
import { csvRows, type CsvRow } from "./csv-file.ts";
import { batches } from "./import-batches.ts";
import { inWorkspace } from "./open.ts";
import { progressBar } from "./progress.ts";
import { printResult } from "./tables.ts";

type Result = { created: number; updated: number; skipped: number; readonly errors: { line: number; message: string }[] };

export const importContacts: Command = {
  name: "import contacts",
  says: "Adds or changes the contacts of a CSV file by the rules of POST /contacts.",
  operands: ["FILE.csv"],
  flags: [
    { name: "list", value: "ID", says: "Put everybody who may be mailed on this list." },
    { name: "status", value: "STATUS", says: "For rows without one: PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED." },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "The first row names the columns, in any order: email (needed), firstName, lastName, tags (separated by ;), status.",
    "Without a status column --status must be given: SUBSCRIBED says that these people agreed to marketing mail.",
    "An empty name leaves a contact's as it is; tags replace, and without a tags column they are left alone.",
    "Counted are rows: created, updated, and skipped: people who opted out or bounced before. They stay so and join no list.",
    "Bad rows are reported with the line they start on and do not stop the rest. An import starts no automation.",
  ],
  example: "import contacts people.csv --list list_01hx --status SUBSCRIBED",
  async run(call) {
    const file = call.operands[0]!;
    const status = call.flags.status === undefined ? undefined : statusOf(call.flags.status);
    const sizeBytes = sizeOf(file);
    let readBytes = 0;
    const rows = csvRows(file, (bytes) => (readBytes += bytes));
    const header = await headerOf(file, rows, status);
    if (header.unknown.length > 0) call.output.warn(`columns that are not imported: ${header.unknown.map(quoted).join(", ")}`);
    const result = await inWorkspace(call, (services, workspaceId) =>
      importRows(call, { services, workspaceId, rows, header, status, doneShare: () => readBytes / sizeBytes }),
    );
    await report(call, result);
  },
};

type Import = {
  readonly services: Services;
  readonly workspaceId: string;
  readonly rows: AsyncGenerator<CsvRow>;
  readonly header: ImportHeader;
  readonly status: ContactStatus | undefined;
  doneShare(): number;
};

async function importRows(call: Call, job: Import): Promise<Result> {
  const { services, workspaceId, rows, header, status } = job;
  const listId = call.flags.list;
  if (listId !== undefined) await services.lists.find(workspaceId, listId);
  const result: Result = { created: 0, updated: 0, skipped: 0, errors: [] };
  const bar = progressBar(call.clock, call.output);
  let count = 0;
  const batch = batches<ImportRow>(call.clock, async (parsed) => {
    for (const outcome of await writeRows(services, workspaceId, listId, parsed)) result[outcome]++;
    bar.show(job.doneShare(), count);
  });
  for await (const row of rows) {
    count++;
    const parsed = "problem" in row ? invalid(row.problem) : parseImportRow(header, row.cells, status);
    if (parsed.ok) await batch.add(parsed.value);
    else result.errors.push({ line: row.line, message: parsed.refusal.message });
  }
  await batch.flush();
  bar.end();
  return result;
}

/** All of it asked for at once, so that it shares one commit: a contact is never there without its place on the list. */
async function writeRows(services: Services, workspaceId: string, listId: string | undefined, rows: readonly ImportRow[]) {
  const writes = rows.map(async (row) => importOutcome(row, await services.contacts.importRow(workspaceId, row)));
  if (listId === undefined) return await Promise.all(writes);
  const addresses = rows.map(({ email }) => email);
  const [outcomes] = await Promise.all([Promise.all(writes), services.lists.addAddresses(workspaceId, listId, addresses)]);
  return outcomes;
}

async function headerOf(file: string, rows: AsyncGenerator<CsvRow>, status: ContactStatus | undefined): Promise<ImportHeader> {
  const first = await rows.next();
  if (first.done === true) throw new UsageError(`${file} is empty: its first row must name the columns`);
  const header = "problem" in first.value ? null : parseImportHeader(first.value.cells);
  if (header === null) throw new UsageError(`${file}: the first row cannot be read: it must name the columns`);
  if (!header.ok) throw new UsageError(`${file}: ${header.refusal.message}`);
  if (header.value.at.status === undefined && status === undefined) {
    throw new UsageError(`${file} has no status column: say with --status what these people are; SUBSCRIBED if they agreed to marketing mail`);
  }
  return header.value;
}

function statusOf(text: string): ContactStatus {
  const status = parseImportStatus(text);
  if (!status.ok) throw new UsageError(`--status: ${status.refusal.message}`);
  return status.value;
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`there is no file ${file}`);
  if (!found.isFile()) throw new UsageError(`${file} is no file`);
  return found.size;
}

async function report(call: Call, { created, updated, skipped, errors }: Result): Promise<void> {
  const sorted = errors.toSorted((a, b) => a.line - b.line);
  if (!call.json) for (const { line, message } of sorted) call.output.warn(`line ${line}: ${message}`);
  await printResult(
    call,
    { created, updated, skipped, errors: sorted },
    `${created} created, ${updated} updated, ${skipped} skipped, ${errors.length} with errors`,
  );
}
