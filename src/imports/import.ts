import type { Instant } from "#core/time/clock.ts";

export const IMPORT_STATES = ["RUNNING", "DONE", "FAILED", "CANCELLED"] as const;

/**
 * Where an import stands. RUNNING until its file is read to the end (DONE), cannot be read any more (FAILED),
 * or somebody stops it (CANCELLED); none of these three is left again.
 */
type ImportState = (typeof IMPORT_STATES)[number];

/** What became of the rows of a file. */
export type ImportCounts = {
  /** All that were read; each is in one of the others too. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  /** Those who opted out or bounced before and would have been made mailable; with `keep`, whoever was known. */
  readonly skipped: number;
  readonly failed: number;
};

export const NO_COUNTS: ImportCounts = { rows: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** An import of a file that was handed over. */
export type Import = ImportCounts & {
  readonly id: string;
  /** As whoever sent it calls it. */
  readonly fileName: string;
  readonly state: ImportState;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | null;
  /** Why it FAILED. */
  readonly error: string | null;
};

/** Something about a row, with the line it starts on. */
export type RowMessage = { readonly line: number; readonly message: string };

/** Only the first of a file are kept: one of another kind has something to say about every row. */
export const MESSAGES_KEPT = 1_000;

/** What a batch of rows came to. */
export type Kept = { readonly counts: ImportCounts; readonly messages: readonly RowMessage[] };
