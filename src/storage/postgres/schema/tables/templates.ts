import { pgTable, text } from "drizzle-orm/pg-core";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const templates = pgTable("templates", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  subject: text().notNull(),
  format: text({ enum: ["html", "mjml"] }).notNull(),
  createdAt: int8("created_at").notNull(),
  updatedAt: int8("updated_at").notNull(),
  body: text().notNull(),
});
