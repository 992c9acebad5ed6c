import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Whether a column of search texts has a term (storage/common/engine/search-text.ts), for tables with few rows. No stored text
 * has NUL, and PostgreSQL takes no text with it.
 */
export const contains = (column: PgColumn, term: string): SQL =>
  term.includes("\0") ? sql`false` : sql`strpos(${column}, ${term}) > 0`;

/** What a text is LIKE that has the term somewhere. */
export const patternOf = (term: string): string => `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
