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

export const messages = sqliteTable(
  "messages",
  {
    workspace: integer().notNull(),
    delivery: integer().notNull(),
    address: text().notNull(),
    state: text({ enum: ["queued", "sent", "bounced", "failed", "uncertain", "skipped"] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.delivery] })],
);
