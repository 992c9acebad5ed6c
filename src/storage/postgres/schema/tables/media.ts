import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, int8, seq } from "#storage/postgres/schema/columns.ts";

export const media = pgTable("media", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  type: text({ enum: ["image/png", "image/jpeg", "image/gif", "image/webp"] }).notNull(),
  bytes: int8().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  token: text().notNull().unique(),
  createdAt: int8("created_at").notNull(),
});

export const mediaSlices = pgTable(
  "media_slices",
  {
    media: int8().notNull(),
    number: integer().notNull(),
    content: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.media, t.number] })],
);
