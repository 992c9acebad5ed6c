import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const segments = pgTable("segments", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  rules: text().notNull(),
  createdAt: int8("created_at").notNull(),
  updatedAt: int8("updated_at").notNull(),
});

export const segmentUses = pgTable(
  "segment_uses",
  {
    segment: int8().notNull(),
    used: int8().notNull(),
  },
  (t) => [primaryKey({ columns: [t.segment, t.used] })],
);
