import type { CsvFormat } from "./csv/csv-format.ts";
import type { SourceName } from "./sources.ts";

/** A column as a person sees it before they import it. */
export type ColumnSample = {
  readonly header: string;
  /** The first values that are not empty, each once. */
  readonly samples: readonly string[];
  /** What it is imported as, as `mapping` writes it; null: not at all. */
  readonly suggested: string | null;
};

/** What is known of a file before anything is imported. */
export type Preview = {
  readonly format: CsvFormat;
  /** The tool that wrote it, where that is recognized. */
  readonly source: SourceName | null;
  readonly columns: readonly ColumnSample[];
};
