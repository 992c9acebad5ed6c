import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { IMPORT_STATES } from "#imports/import.ts";
import type { ImportJob } from "#imports/store.ts";

export const imports = sqliteTable("imports", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  fileName: text("file_name").notNull(),
  state: text({ enum: IMPORT_STATES }).notNull(),
  job: text({ mode: "json" }).$type<ImportJob>().notNull(),
  linesDone: integer("lines_done").notNull(),
  rows: integer().notNull().default(0),
  created: integer().notNull().default(0),
  updated: integer().notNull().default(0),
  skipped: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
  finishedAt: integer("finished_at"),
  error: text(),
});

export const importMessages = sqliteTable("import_messages", {
  seq: integer().primaryKey({ autoIncrement: true }),
  import: integer().notNull(),
  line: integer().notNull(),
  message: text().notNull(),
});
