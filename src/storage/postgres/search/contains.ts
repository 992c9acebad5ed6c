import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Whether a column of search texts contains a term (storage/common/engine/search-text.ts), for tables with few
 * rows. No stored text has NUL, and PostgreSQL does not accept it in a text.
 */
export const contains = (column: PgColumn, term: string): SQL =>
  term.includes("\0") ? sql`false` : sql`strpos(${column}, ${term}) > 0`;

/** The LIKE pattern for texts that contain the term. */
export const patternOf = (term: string): string => `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
