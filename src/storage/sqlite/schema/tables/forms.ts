import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "#core/request/json-value.ts";

export const forms = sqliteTable("forms", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  list: integer(),
  fields: text({ mode: "json" }).$type<readonly string[]>().notNull(),
  style: text({ mode: "json" }).$type<JsonObject>().notNull(),
  successMessage: text("success_message").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const formSubmissions = sqliteTable("form_submissions", {
  seq: integer().primaryKey(),
  client: text().notNull(),
  at: integer().notNull(),
});

export const confirmations = sqliteTable("confirmations", {
  delivery: integer().primaryKey(),
  workspace: integer().notNull(),
  formId: text("form_id").notNull(),
  address: text().notNull(),
  createdAt: integer("created_at").notNull(),
  confirmedAt: integer("confirmed_at"),
  returns: integer().notNull().default(0),
  voidedAt: integer("voided_at"),
});
