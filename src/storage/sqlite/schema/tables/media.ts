import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const media = sqliteTable("media", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  type: text({ enum: ["image/png", "image/jpeg", "image/gif", "image/webp"] }).notNull(),
  bytes: integer().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  token: text().notNull().unique(),
  createdAt: integer("created_at").notNull(),
});

export const mediaSlices = sqliteTable(
  "media_slices",
  {
    media: integer().notNull(),
    number: integer().notNull(),
    content: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.media, t.number] })],
);
