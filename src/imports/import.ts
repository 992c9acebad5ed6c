import type { Instant } from "#core/time/clock.ts";
import type { CsvFormat } from "./csv/csv-format.ts";

export const IMPORT_STATES = ["RUNNING", "DONE", "FAILED", "CANCELLED"] as const;

/**
 * Where an import stands. RUNNING until its file is read to the end (DONE), cannot be read any more (FAILED), or
 * somebody stops it (CANCELLED). These three are final.
 */
type ImportState = (typeof IMPORT_STATES)[number];

/** What happened to the rows of a file. */
export type ImportCounts = {
  /** All rows that were read. Each is also counted in one of the other fields. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  /** People who opted out or bounced before and would have become mailable; with `keep`, also all who were known. */
  readonly skipped: number;
  readonly failed: number;
};

export const NO_COUNTS: ImportCounts = { rows: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** An import of an uploaded file. */
export type Import = ImportCounts & {
  readonly id: string;
  /** The name that the client gave it. */
  readonly fileName: string;
  readonly state: ImportState;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | null;
  /** Why it FAILED. */
  readonly error: string | null;
  /** How many lines of its file are read, and how many there are, nearly; null where that was not counted. */
  readonly linesDone: number;
  readonly lines: number | null;
  readonly format: CsvFormat;
};

/** How much of its file is read, from 0 to 1; null where nobody counted its lines. */
export function shareOf({
  state,
  linesDone,
  lines,
}: Pick<Import, "state" | "linesDone" | "lines">): number | null {
  if (state === "DONE") return 1;
  return lines === null || lines === 0 ? null : Math.min(1, linesDone / lines);
}

/** Something about a row, with the line it starts on. */
export type RowMessage = {
  readonly line: number;
  readonly message: string;
  /** The row was imported nevertheless. Only new messages say it. */
  readonly isWarning?: boolean;
};

/** Only the first messages of a file are kept: a file of another kind would cause one for every row. */
const MESSAGES_KEPT = 1_000;

/** One about a row that was imported is only kept among so many. The others wait for rows that fail behind those. */
const WARNINGS_KEPT = 500;

/** The messages for which there is still room after `keptBefore`, also by earlier turns of the same import. */
export function messagesToKeep({ messages }: Pick<Kept, "messages">, keptBefore: number): RowMessage[] {
  const fitting: RowMessage[] = [];
  for (const one of messages) {
    const room = one.isWarning === true ? WARNINGS_KEPT : MESSAGES_KEPT;
    if (keptBefore + fitting.length < room) fitting.push(one);
  }
  return fitting;
}

/** The result of a batch of rows. */
export type Kept = { readonly counts: ImportCounts; readonly messages: readonly RowMessage[] };
