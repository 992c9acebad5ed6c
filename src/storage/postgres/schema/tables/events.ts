import { pgTable, text } from "drizzle-orm/pg-core";
import type { JsonObject } from "#core/request/json-value.ts";
import { int8, jsonb, seq } from "#storage/postgres/schema/columns.ts";

export const events = pgTable("events", {
  seq: seq(),
  id: text().notNull(),
  workspace: int8().notNull(),
  name: text().notNull(),
  contact: int8().notNull(),
  properties: jsonb().$type<JsonObject>().notNull(),
  valueCents: int8("value_cents"),
  currency: text(),
  externalId: text("external_id"),
  createdAt: int8("created_at").notNull(),
  folded: jsonb().$type<JsonObject>(),
});
