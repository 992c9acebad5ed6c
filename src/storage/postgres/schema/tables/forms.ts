import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import type { JsonObject } from "#core/request/json-value.ts";
import { int8, jsonText, seq } from "#storage/postgres/schema/columns.ts";

export const forms = pgTable("forms", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  list: int8(),
  fields: jsonText().$type<readonly string[]>().notNull(),
  style: jsonText().$type<JsonObject>().notNull(),
  successMessage: text("success_message").notNull(),
  createdAt: int8("created_at").notNull(),
  updatedAt: int8("updated_at").notNull(),
});

export const formSubmissions = pgTable("form_submissions", {
  seq: seq(),
  client: text().notNull(),
  at: int8().notNull(),
});

export const confirmations = pgTable("confirmations", {
  delivery: int8().primaryKey(),
  workspace: int8().notNull(),
  formId: text("form_id").notNull(),
  address: text().notNull(),
  createdAt: int8("created_at").notNull(),
  confirmedAt: int8("confirmed_at"),
  returns: boolean().notNull().default(false),
  voidedAt: int8("voided_at"),
});
