import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const instance = sqliteTable("instance", {
  only: integer().primaryKey(),
  signingSecret: blob("signing_secret", { mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  movedTo: text("moved_to"),
});

export const runs = sqliteTable("runs", {
  seq: integer().primaryKey({ autoIncrement: true }),
  startedAt: integer("started_at").notNull(),
});
