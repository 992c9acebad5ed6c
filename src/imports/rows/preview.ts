import type { AttributeChange } from "#attributes/attribute-input.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import type { CsvFormat } from "#imports/csv/csv-format.ts";
import type { ColumnType } from "./column-type.ts";
import type { SourceName } from "#imports/sources/source.ts";

/** A preview reads so many rows at most, blank ones too: below its data a spreadsheet may write a million of them. */
export const ROWS_READ_MAX = 1_000;

/** A column as a person sees it before they import it. */
export type ColumnSample = {
  readonly header: string;
  /** The first values that are not empty, each once. */
  readonly samples: readonly string[];
  /** What it is imported as, as `mapping` writes it; null: not at all. */
  readonly suggested: string | null;
  /**
   * Only if it was asked for: what its first values are, as `types` writes it. `text` also where contacts have the
   * attribute as text only.
   */
  readonly type?: ColumnType;
};

/** What is known of a file before anything is imported. */
export type Preview = {
  readonly format: CsvFormat;
  /** The tool that wrote it, where that is recognized. */
  readonly source: SourceName | null;
  readonly columns: readonly ColumnSample[];
  /** Only if they were asked for. */
  readonly first: PreviewRows | null;
};

/** What a row says of a contact. Null: that stays as it is. */
type PreviewContact = {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly tags: readonly string[] | null;
  readonly status: ContactStatus;
  readonly attributes: AttributeChange;
  readonly consentAt: Instant | null;
};

/** A row as it will be imported. */
export type PreviewRow = {
  /** The line on which it begins. */
  readonly line: number;
  /** Null: it will fail. */
  readonly contact: PreviewContact | null;
  /** Why it will fail, or what will be left out of it. */
  readonly message: string | null;
};

/** The first rows as they will be, and why such an import would be refused as a whole. */
export type PreviewRows = { readonly refusal: string | null; readonly rows: readonly PreviewRow[] };
