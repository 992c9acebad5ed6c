import { createReadStream, statSync } from "node:fs";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { AppError, type Result } from "#core/errors/errors.ts";
import { counted, quoted, quotedSome } from "#core/text/text.ts";
import { BESIDE_A_SERVER } from "#imports/batches.ts";
import { parseEncoding } from "#imports/csv/encoding.ts";
import { COLUMN_TYPES, type ColumnType } from "#imports/rows/column-type.ts";
import type { ImportColumns } from "#imports/rows/columns.ts";
import { FIELD_NAMES, parseField, type ImportField } from "#imports/rows/field.ts";
import { messagesToKeep, NO_COUNTS, type ImportCounts, type Kept, type RowMessage } from "#imports/import.ts";
import { NO_OPTIONS, parseColumnType, type ImportOptions } from "#imports/import-options.ts";
import { parseImportStatus } from "#imports/rows/standing/row-standing.ts";
import { firstOperand, PLACE, UsageError, type Call, type Command } from "./line/command.ts";
import { failureText } from "./line/failure-text.ts";
import { progressBar } from "./line/progress.ts";
import { printResult } from "./line/printing.ts";
import { recordedInWorkspace } from "./open.ts";

export const importContacts: Command = {
  name: "import contacts",
  says: "Adds or changes the contacts of a CSV file by the rules of POST /contacts.",
  operands: ["FILE.csv"],
  flags: [
    { name: "list", value: "ID", says: "Put everybody who may be mailed on this list." },
    {
      name: "status",
      value: "STATUS",
      says: "For rows without one: PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.",
      choices: CONTACT_STATUSES,
    },
    {
      name: "map",
      value: "HEADER=FIELD",
      says: "What a column becomes: 'Postal town=attributes.city', or nothing with 'Notes='. May be repeated.",
      isRepeated: true,
    },
    {
      name: "unknown-columns",
      value: "WHAT",
      says: "What to do with other columns: ignore, or attributes.",
      choices: ["ignore", "attributes"],
    },
    {
      name: "existing",
      value: "WHAT",
      says: "What to do with existing contacts: update, or keep.",
      choices: ["update", "keep"],
    },
    {
      name: "type",
      value: "HEADER=TYPE",
      says: `What the values of an attribute are kept as: 'Revenue=number-comma'; one of ${COLUMN_TYPES.join(", ")}. May be repeated.`,
      isRepeated: true,
    },
    {
      name: "encoding",
      value: "NAME",
      says: "How the file's letters are written, such as windows-1250, windows-1251 or shift_jis.",
    },
    {
      name: "trigger-automations",
      value: "",
      says: "Let new subscribers and gained tags start LIVE automations.",
    },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "The first row names the columns, in any order: email (needed), firstName, lastName, name, tags (separated by ;), status, consentAt, consentIp, confirmedAt, confirmedIp, attributes.NAME.",
    "Files of listmonk, Mailchimp, Brevo, Keila and Substack are recognized, and so are delimiters, and the encodings UTF-8, UTF-16 and Windows-1252.",
    "Columns such as unsubscribed, opt-out, bounced or subscribed are read: whoever left elsewhere gets no marketing mail here. --map 'Notes=unsubscribed' makes any column one, --map 'Unsubscribed=' makes it none.",
    "A --map of this kind changes nothing for the other columns. Beside any other --map the usual headers are not guessed: name those that you need.",
    "Tags with commas between them, as most other tools write them, are read by --map 'Tags=tagsByComma', which changes nothing for the other columns either.",
    "If the file has no status, --status must give one: SUBSCRIBED means that these people agreed to marketing mail.",
    "An empty name or attribute leaves the contact's value unchanged. Tags replace the old ones; without a tags column they stay.",
    "Rows are counted as created, updated or skipped. Skipped are people who opted out or bounced before: they stay so and join no list.",
    "Bad rows are reported with the line they start on, the first 1,000 of them, and do not stop the rest. Exit code 1 if every row is bad.",
    "Without --trigger-automations an import starts no automation.",
  ],
  example: "import contacts people.csv --list list_01hx --status SUBSCRIBED",
  async run(call) {
    const file = firstOperand(call);
    const sizeBytes = sizeOf(file);
    const options = optionsOf(call);
    const result = await recordedInWorkspace(call, "import_started", async (services, workspaceId) => {
      const progress = progressOf(call, sizeBytes);
      const bytes = () => progress.counted(createReadStream(file) as AsyncIterable<Buffer>);
      const how = { pace: BESIDE_A_SERVER, onKept: progress.onKept };
      try {
        await services.imports.run(workspaceId, { name: file, bytes }, options, how, (columns) => {
          progress.begin();
          warnOfUnknown(call, columns);
          sayWhoLeft(call, columns, options);
          warnOfLeavers(call, columns, options);
        });
      } catch (error) {
        throw cutOff(error, file, progress.result().counts);
      } finally {
        progress.end();
      }
      return progress.result();
    });
    await report(call, result);
    if (!hasImported(result.counts))
      throw new Error(
        `nothing was imported: ${result.counts.failed > 0 ? "every row has an error" : "there is no row behind the first"}`,
      );
  },
};

function optionsOf({ flags }: Call): ImportOptions {
  const status = flags.status === undefined ? null : usage("--status", parseImportStatus(flags.status));
  return {
    ...NO_OPTIONS,
    listIds: flags.list === undefined ? [] : [flags.list],
    status,
    mapping: flags["map"] === undefined ? null : mappingOf(flags["map"]),
    unknownColumns: oneOf("--unknown-columns", flags["unknown-columns"], ["ignore", "attributes"]),
    existing: oneOf("--existing", flags["existing"], ["update", "keep"]),
    startAutomations: flags["trigger-automations"] !== undefined,
    types: flags["type"] === undefined ? {} : typesOf(flags["type"]),
    encoding: flags["encoding"] === undefined ? null : usage("--encoding", parseEncoding(flags["encoding"])),
  };
}

function usage<T>(flag: string, result: Result<T>): T {
  if (!result.ok) throw new UsageError(`${flag}: ${result.refusal.message}`);
  return result.value;
}

/** The first one is the default. */
function oneOf<T extends string>(flag: string, text: string | undefined, values: readonly [T, ...T[]]): T {
  if (text === undefined) return values[0];
  const value = values.find((known) => known === text);
  if (value === undefined) throw new UsageError(`${flag} is ${values.join(" or ")}, not ${quoted(text)}`);
  return value;
}

/** A column without a target is left out. */
const mappingOf = (text: string): Record<string, ImportField | null> =>
  byHeader(text, "map", `HEADER=FIELD; the fields are ${FIELD_NAMES}`, (name) =>
    name === "" ? null : (parseField(name) ?? undefined),
  );

const typesOf = (text: string): Record<string, ColumnType> =>
  byHeader(text, "type", `HEADER=TYPE; the types are ${COLUMN_TYPES.join(", ")}`, parseColumnType);

/**
 * The values of a flag that is about columns, one pair a line.
 * @param shape what a pair must be
 * @param read what stands behind the last `=`; undefined: it is no such value
 */
function byHeader<T>(
  text: string,
  flag: string,
  shape: string,
  read: (value: string) => T | undefined,
): Record<string, T> {
  const found = new Map<string, T>();
  for (const pair of text.split("\n")) {
    const at = pair.lastIndexOf("=");
    const header = pair.slice(0, Math.max(at, 0)).trim();
    const value = read(pair.slice(at + 1).trim());
    if (header === "" || value === undefined)
      throw new UsageError(`--${flag}: ${quoted(pair)} is not ${shape}`);
    found.set(header, value);
  }
  return Object.fromEntries(found);
}

/**
 * What ended it, and what it did before that: each batch of rows is kept for itself. Then it is no refusal any more
 * (AppError), which would take its entry out of the audit log.
 */
function cutOff(error: unknown, file: string, counts: ImportCounts): unknown {
  const isFile = error instanceof AppError && error.code === "VALIDATION_ERROR";
  const why = isFile ? `${file}: ${error.message}` : failureText(error);
  if (counts.rows === 0) return isFile ? new UsageError(why) : error;
  const opening = `${why.replace(/\.$/, "")}. Before that`;
  const text = hasImported(counts)
    ? `${opening} ${counted(counts.rows, "row was done and stays", "rows were done and stay")}: ${outcomeText(counts)}. A second run finds these people, and adds nobody twice.`
    : `${opening} ${counted(counts.rows, "row was read", "rows were read")}: ${outcomeText(counts)}.`;
  return isFile ? new UsageError(text) : new Error(text, { cause: error });
}

const hasImported = ({ created, updated, skipped }: ImportCounts): boolean => created + updated + skipped > 0;

const outcomeText = ({ created, updated, skipped, failed }: ImportCounts): string =>
  `${created} created, ${updated} updated, ${skipped} skipped, ${failed} with errors`;

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`there is no file ${file}`);
  if (!found.isFile()) throw new UsageError(`${file} is not a file`);
  return found.size;
}

/** Without those that say who left: they are read. */
function warnOfUnknown({ output }: Call, { unknown, standing }: ImportColumns): void {
  const read = new Set(standing.map(({ header }) => header));
  const without = unknown.filter((header) => !read.has(header));
  if (without.length > 0) output.warn(`columns that are not imported: ${quotedSome(without)}`);
}

/** Columns that nobody named, so that whoever knows better may say so. */
function sayWhoLeft(
  { output }: Call,
  { standing }: ImportColumns,
  { mapping }: Pick<ImportOptions, "mapping">,
): void {
  const read = standing
    .filter(({ tool, header }) => tool === null && !Object.hasOwn(mapping ?? {}, header))
    .map(({ header }) => header);
  if (read.length > 0)
    output.warn(
      `read as columns that say who left or agreed: ${quotedSome(read)}. One that means something else is left out with --map '${read[0]}='`,
    );
}

/** Where the import subscribes people, and the file has those who left among them. */
function warnOfLeavers(
  { output }: Call,
  { leaversHiddenBy }: ImportColumns,
  { status }: Pick<ImportOptions, "status">,
): void {
  if (leaversHiddenBy === null || (status ?? "SUBSCRIBED") !== "SUBSCRIBED") return;
  output.warn(
    leaversHiddenBy === "listmonk"
      ? "listmonk has people who left a list or never confirmed as enabled, so its file does not say who they are: " +
          "import the files of its lists first (unsubscribed with --status UNSUBSCRIBED, then confirmed with " +
          "--status SUBSCRIBED, then unconfirmed with --status PENDING), and the file of all with --existing keep"
      : `this file of ${leaversHiddenBy} does not say who unsubscribed there: import those too, with --status UNSUBSCRIBED`,
  );
}

type Imported = {
  readonly counts: ImportCounts;
  readonly messages: readonly RowMessage[];
  readonly more: number;
};

/** The counts of the rows so far, and a progress bar. */
function progressOf(call: Call, sizeBytes: number) {
  const bar = progressBar(call.clock, call.output);
  const counts: Record<keyof ImportCounts, number> = { ...NO_COUNTS };
  const messages: RowMessage[] = [];
  let more = 0;
  let readBytes = 0;
  return {
    /** The file was checked before: only from here on are its bytes counted. */
    begin: () => void (readBytes = 0),
    async *counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        readBytes += piece.length;
        yield piece;
      }
    },
    onKept(kept: Kept): void {
      for (const name of ["rows", "created", "updated", "skipped", "failed"] as const)
        counts[name] += kept.counts[name];
      const told = messagesToKeep(kept, messages.length);
      messages.push(...told.map(({ line, message }) => ({ line, message })));
      more += kept.messages.length - told.length;
      bar.show(readBytes / sizeBytes, `${counts.rows} rows`);
    },
    end: () => bar.end(),
    result: (): Imported => ({ counts, messages, more }),
  };
}

async function report(call: Call, { counts, messages, more }: Imported): Promise<void> {
  const errors = messages.toSorted((a, b) => a.line - b.line);
  if (!call.json) for (const { line, message } of errors) call.output.warn(`line ${line}: ${message}`);
  if (!call.json && more > 0) call.output.warn(counted(more, "more row has errors", "more rows have errors"));
  const { created, updated, skipped } = counts;
  await printResult(
    call,
    { created, updated, skipped, errors, ...(more > 0 ? { moreErrors: more } : {}) },
    outcomeText(counts),
  );
}
