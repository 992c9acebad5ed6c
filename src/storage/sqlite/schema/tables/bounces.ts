import { blob, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { WAYS } from "#bounces/incoming.ts";
import { KEPT_KINDS } from "#bounces/report.ts";

export const bounceReports = sqliteTable(
  "bounce_reports",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    workspace: integer().notNull(),
    delivery: integer().notNull(),
    contact: integer(),
    address: text().notNull(),
    kind: text({ enum: KEPT_KINDS }).notNull(),
    reason: text().notNull(),
    status: text().notNull(),
    words: text().notNull(),
    way: text({ enum: WAYS }).notNull(),
    at: integer().notNull(),
  },
  (t) => [unique().on(t.delivery, t.kind)],
);

export const unreadMails = sqliteTable("unread_mails", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer(),
  digest: blob({ mode: "buffer" }).notNull(),
  way: text({ enum: WAYS }).notNull(),
  sender: text().notNull(),
  subject: text().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  raw: blob({ mode: "buffer" }).notNull(),
  receivedAt: integer("received_at").notNull(),
});
