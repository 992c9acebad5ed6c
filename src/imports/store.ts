import type { ContactWrite, FoundContact } from "#contacts/contact-plan.ts";
import type { Upsert, Upserted } from "#contacts/store.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { CsvFormat } from "./csv/csv-format.ts";
import type { Import, Kept, RowMessage } from "./import.ts";
import type { ImportOptions } from "./import-options.ts";
import type { RowOutcome } from "./import-plan.ts";
import type { ImportRow } from "#imports/rows/import-row.ts";

/** How the file of an import is read. */
export type ImportJob = {
  readonly options: ImportOptions;
  readonly format: CsvFormat;
  /** The first row, and the lines up to its end. */
  readonly header: readonly string[];
  readonly headerLines: number;
  /** How many lines the file has, nearly; older imports do not know it. */
  readonly lines?: number;
  /** Mailchimp's file of people who never agreed; older imports do not know it. */
  readonly ofNonSubscribed?: boolean;
};

/** An import that is to go on. */
export type RunningImport = ImportJob & {
  readonly id: string;
  readonly workspaceId: string;
  /** The lines whose rows were kept; the next one begins a row. */
  readonly linesDone: number;
};

/** A row to write, and where it stands in the file. */
export type ImportPerson = Upsert & { readonly row: ImportRow; readonly line: number };

/** Rows that are written together with the record of how far the import is, or not at all. */
export type ImportBatch = {
  readonly people: readonly ImportPerson[];
  /** How many further rows could not be read. */
  readonly unread: number;
  readonly messages: readonly RowMessage[];
  readonly listIds: readonly string[];
  /** Where reading continues after a restart; null: unchanged. */
  readonly linesDone: number | null;
  /** Whether the file is at its end: then the import is DONE. */
  readonly isLast: boolean;
  readonly at: Instant;
};

/** What to do with each person; pure. */
export type ImportRules = {
  decide(person: ImportPerson, found: FoundContact): Result<ContactWrite>;
  /** What became of a row, whether it joins the lists, and what was left out of it. */
  settle(
    person: ImportPerson,
    written: Upserted,
  ): { readonly outcome: RowOutcome; readonly joins: boolean; readonly message: string | null };
};

/** Imports and the messages about their rows. Every method is one transaction. */
export type ImportStore = {
  insert(workspaceId: string, one: Import, job: ImportJob): Promise<void>;
  find(workspaceId: string, id: string): Promise<Import | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Import>>;
  /** By line. Null: no such import. */
  messages(workspaceId: string, id: string, request: PageRequest): Promise<Page<RowMessage> | null>;
  /** The next import of each workspace: the oldest that is RUNNING. In no particular order. */
  running(): Promise<RunningImport[]>;
  /** The ids of all that are RUNNING. */
  runningIds(): Promise<ReadonlySet<string>>;

  /**
   * Writes a batch of rows and, with an id, how far that import is. A list that is gone takes nobody, and the
   * rest goes on. Null: the import is not RUNNING any more, and nothing was written.
   */
  keep(workspaceId: string, id: string | null, batch: ImportBatch, rules: ImportRules): Promise<Kept | null>;

  /** `ContactStore.rowsForWebhooks`. */
  rowsForWebhooks(workspaceId: string): Promise<number>;

  /** Ends a RUNNING import. False: it was not. */
  end(
    workspaceId: string,
    id: string,
    end: { readonly state: "FAILED" | "CANCELLED"; readonly error: string | null; readonly at: Instant },
  ): Promise<boolean>;
};

/** Files that wait to be imported, in pieces, if several servers share the data. */
export type WaitingFiles = {
  /** Durable when it resolves. */
  add(id: string, number: number, piece: Uint8Array, at: Instant): Promise<void>;
  /** Null: there is none of this number. */
  piece(id: string, number: number): Promise<Uint8Array | null>;
  remove(id: string): Promise<void>;
  /** Deletes files that came before an instant, except those that are needed. */
  sweep(needed: ReadonlySet<string>, before: Instant): Promise<void>;
};
