import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const sendKeys = sqliteTable(
  "send_keys",
  {
    workspace: integer().notNull(),
    key: text().notNull(),
    bodyHash: blob("body_hash", { mode: "buffer" }).notNull(),
    answer: text(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);
