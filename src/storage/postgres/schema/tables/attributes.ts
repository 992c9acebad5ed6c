import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import type { JsonObject } from "#core/request/json-value.ts";
import { int8, jsonb } from "#storage/postgres/schema/columns.ts";

export const contactAttributes = pgTable("contact_attributes", {
  contact: int8().primaryKey(),
  workspace: int8().notNull(),
  attributes: jsonb().$type<JsonObject>().notNull(),
  folded: jsonb().$type<JsonObject>(),
});

export const attributeCounts = pgTable("attribute_counts", {
  workspace: int8().notNull(),
  name: text().notNull(),
  type: text({ enum: ["string", "number", "boolean", "list"] }).notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});
