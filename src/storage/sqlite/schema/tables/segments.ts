import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const segments = sqliteTable("segments", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  rules: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const segmentUses = sqliteTable(
  "segment_uses",
  { segment: integer().notNull(), used: integer().notNull() },
  (t) => [primaryKey({ columns: [t.segment, t.used] })],
);
