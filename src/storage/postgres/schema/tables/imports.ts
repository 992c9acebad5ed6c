import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { IMPORT_STATES } from "#imports/import.ts";
import type { ImportJob } from "#imports/store.ts";
import { bytes, int8, jsonText, seq } from "#storage/postgres/schema/columns.ts";

export const imports = pgTable("imports", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  fileName: text("file_name").notNull(),
  state: text({ enum: IMPORT_STATES }).notNull(),
  job: jsonText().$type<ImportJob>().notNull(),
  linesDone: int8("lines_done").notNull(),
  rows: int8().notNull().default(0),
  created: int8().notNull().default(0),
  updated: int8().notNull().default(0),
  skipped: int8().notNull().default(0),
  failed: int8().notNull().default(0),
  createdAt: int8("created_at").notNull(),
  finishedAt: int8("finished_at"),
  error: text(),
  node: int8(),
});

export const importSlices = pgTable(
  "import_slices",
  {
    import: text().notNull(),
    number: integer().notNull(),
    content: bytes().notNull(),
    createdAt: int8("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.import, t.number] })],
);

export const importMessages = pgTable("import_messages", {
  seq: seq(),
  import: int8().notNull(),
  line: int8().notNull(),
  message: text().notNull(),
});
