import { sql, type SQL } from "drizzle-orm";
import { bigint, customType } from "drizzle-orm/pg-core";

/** A whole number of 64 bits, as a number: exact to 2^53. Row numbers, instants and counts. */
export const int8 = (name = "") => bigint(name, { mode: "number" });

/** The number of a row: never used twice, and given by the database unless the row brings its own. */
export const seq = () => int8().primaryKey().generatedByDefaultAsIdentity();

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** JSON that only this program reads, as text: it comes back as it was written. `$type` says what it is. */
export const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text),
});

/**
 * JSON that statements look into. It goes to the database as text and becomes JSON there: the driver would make a
 * JSON string of a text. `$type` says what it is.
 */
export const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value): SQL => sql`${JSON.stringify(value)}::text::jsonb`,
});
