import type { Delimiter } from "./delimiter.ts";
import type { Encoding } from "./encoding.ts";

/** How the rows of a file are written. */
export type CsvFormat = { readonly encoding: Encoding; readonly delimiter: Delimiter };
