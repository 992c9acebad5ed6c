import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError, notFound, unwrap } from "#core/errors/errors.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { AttributeUse } from "#attributes/attribute.ts";
import type { AttributeStore } from "#attributes/store.ts";
import type { ListStore } from "#lists/store.ts";
import { suggestColumns, type ImportColumns } from "#imports/rows/columns.ts";
import { smallPieces } from "./csv/csv-bytes.ts";
import { csvRows } from "./csv/csv-rows.ts";
import { runImport, type ImportRun } from "./import-run.ts";
import { readHead, type Bytes } from "./file-reading.ts";
import { isOfNonSubscribed, planFile, withoutConsent } from "#imports/rows/non-subscribed-file.ts";
import { firstRows } from "#imports/rows/first-rows.ts";
import { NO_COUNTS, type Import, type RowMessage } from "./import.ts";
import type { ImportFiles, Incoming } from "./import-files.ts";
import type { ImportOptions } from "./import-options.ts";
import { rowParser } from "#imports/rows/import-row.ts";
import type { Preview } from "#imports/rows/preview.ts";
import { samplesOf } from "#imports/rows/samples.ts";
import type { ImportStore } from "./store.ts";

const FILE_NAME_CHARACTERS = 200;

/** A file that is being received for an import. */
type Upload = Pick<Incoming, "write" | "discard"> & {
  /**
   * Accepts the whole file. From now on it is imported in the background, when its turn comes.
   * @throws AppError VALIDATION_ERROR if it cannot be imported so, NOT_FOUND for an unknown list
   */
  start(fileName: string, options: ImportOptions): Promise<Import>;
};

/** What a preview reads of a file. */
type Beginning = { readonly fileName: string; readonly beginning: Buffer };

export type ImportService = ReturnType<typeof importService>;

type Parts = {
  readonly imports: ImportStore;
  readonly files: ImportFiles;
  readonly lists: Pick<ListStore, "find">;
  readonly attributes: Pick<AttributeStore, "list">;
  readonly clock: Clock;
  readonly newId: NewId;
};

type CheckLists = (workspaceId: string, listIds: readonly string[]) => Promise<void>;

export function importService(parts: Parts) {
  const { imports, files, lists, attributes, clock, newId } = parts;
  let wake = (): void => undefined;

  const checkLists: CheckLists = async (workspaceId, listIds) => {
    for (const id of listIds)
      if ((await lists.find(workspaceId, id)) === null) throw notFound(`The list ${id}`);
  };

  return {
    /** Calls `listener` for every import that is added. */
    onStart(listener: () => void): void {
      wake = listener;
    },

    receive: receiving(parts, checkLists, () => wake()),

    /** @throws AppError VALIDATION_ERROR if it is no file that could be imported */
    preview: async (
      workspaceId: string,
      file: Beginning,
      options: ImportOptions,
      { hasRows, hasTypes }: { readonly hasRows: boolean; readonly hasTypes: boolean },
    ): Promise<Preview> => {
      const inUse = hasTypes ? await attributes.list(workspaceId) : null;
      return previewOf(file, options, inUse, hasRows ? clock.now() : null);
    },

    /** Imports a file of this machine now. If the process ends, nothing continues it. */
    async run(
      workspaceId: string,
      { name, bytes }: { readonly name: string; readonly bytes: Bytes },
      options: ImportOptions,
      how: Pick<ImportRun, "pace" | "onKept">,
      onColumns: (columns: ImportColumns) => void,
    ): Promise<void> {
      const { format, header, headerLines } = unwrap(await readHead(bytes, options));
      const columns = unwrap(planFile(header, options, isOfNonSubscribed(name)));
      await checkLists(workspaceId, options.listIds);
      onColumns(columns);
      await runImport(
        { imports, clock, newId },
        {
          ...how,
          workspaceId,
          id: null,
          rows: csvRows(bytes(), format, headerLines),
          parse: rowParser(columns, options.status, clock.now()),
          options,
          isStopped: () => false,
        },
      );
    },

    find: async (workspaceId: string, id: string): Promise<Import> =>
      (await imports.find(workspaceId, id)) ?? gone(id),

    page: (workspaceId: string, request: PageRequest): Promise<Page<Import>> =>
      imports.page(workspaceId, request),

    messages: async (workspaceId: string, id: string, request: PageRequest): Promise<Page<RowMessage>> =>
      (await imports.messages(workspaceId, id, request)) ?? gone(id),

    /** Stops an import after the rows that were kept. @throws AppError WRONG_STATE for one that is over */
    async cancel(workspaceId: string, id: string): Promise<void> {
      if ((await imports.find(workspaceId, id)) === null) gone(id);
      const end = { state: "CANCELLED", error: null, at: clock.now() } as const;
      if (!(await imports.end(workspaceId, id, end)))
        throw new AppError("WRONG_STATE", "The import is over: only one that is RUNNING can be cancelled.");
      await files.remove(id);
    },
  };
}

function receiving({ imports, files, clock, newId }: Parts, checkLists: CheckLists, wake: () => void) {
  return async (workspaceId: string): Promise<Upload> => {
    const id = newId("imp");
    const incoming = await files.receive(id);
    let isTaken = false;
    return {
      write: incoming.write,
      async discard() {
        if (!isTaken) await incoming.discard();
      },
      async start(fileName, options) {
        const head = unwrap(await readHead(incoming.bytes, options));
        const { format, header, headerLines, lines } = head;
        const ofNonSubscribed = isOfNonSubscribed(fileName);
        unwrap(planFile(header, options, ofNonSubscribed));
        await checkLists(workspaceId, options.listIds);
        await incoming.keep();
        const started: Import = {
          id,
          fileName: fileName.toWellFormed().slice(0, FILE_NAME_CHARACTERS).toWellFormed(),
          state: "RUNNING",
          ...NO_COUNTS,
          createdAt: clock.now(),
          finishedAt: null,
          error: null,
          linesDone: headerLines,
          lines,
          format,
        };
        const job = { options, format, header, headerLines, lines, ofNonSubscribed };
        await imports.insert(workspaceId, started, job).catch((error: unknown) => {
          // Nobody knows whether it was written. If so the import runs and needs its file; if not a sweep deletes it.
          isTaken = isUnreachable(error);
          throw error;
        });
        isTaken = true;
        incoming.handOver();
        wake();
        return started;
      },
    };
  };
}

/**
 * @param inUse the attributes that contacts have, if types are to be shown; null: no types
 * @param rowsAt the present time, if rows are to be shown; null: no rows
 */
async function previewOf(
  { fileName, beginning }: Beginning,
  options: ImportOptions,
  inUse: readonly AttributeUse[] | null,
  rowsAt: Instant | null,
): Promise<Preview> {
  const start = bytesIn(beginning);
  const head = unwrap(await readHead(start, options));
  const { format, header, headerLines } = head;
  const ofNonSubscribed = isOfNonSubscribed(fileName);
  const suggested = suggestColumns(header, { ...options, unknownColumns: "attributes" });
  const shown = ofNonSubscribed ? withoutConsent(suggested) : suggested;
  const columns = await samplesOf(start, { format, headerLines }, shown, inUse);
  const known = { format, source: suggested.source?.name ?? null, columns };
  if (rowsAt === null) return { ...known, first: null };
  const planned = planFile(header, options, ofNonSubscribed);
  return { ...known, first: await firstRows(start, head, planned, { status: options.status, now: rowsAt }) };
}

/** A new copy each time, because the reader changes it in place. */
const bytesIn =
  (whole: Buffer): Bytes =>
  () =>
    smallPieces([Buffer.from(whole)]);

function gone(id: string): never {
  throw notFound(`The import ${id}`);
}
