import { pgTable, text, unique } from "drizzle-orm/pg-core";
import { WAYS } from "#bounces/incoming.ts";
import { KEPT_KINDS } from "#bounces/report.ts";
import { bytes, int8, seq } from "#storage/postgres/schema/columns.ts";

export const bounceReports = pgTable(
  "bounce_reports",
  {
    seq: seq(),
    workspace: int8().notNull(),
    delivery: int8().notNull(),
    contact: int8(),
    address: text().notNull(),
    kind: text({ enum: KEPT_KINDS }).notNull(),
    reason: text().notNull(),
    status: text().notNull(),
    words: text().notNull(),
    way: text({ enum: WAYS }).notNull(),
    at: int8().notNull(),
  },
  (t) => [unique().on(t.delivery, t.kind)],
);

export const unreadMails = pgTable("unread_mails", {
  seq: seq(),
  workspace: int8(),
  digest: bytes().notNull(),
  way: text({ enum: WAYS }).notNull(),
  sender: text().notNull(),
  subject: text().notNull(),
  sizeBytes: int8("size_bytes").notNull(),
  raw: bytes().notNull(),
  receivedAt: int8("received_at").notNull(),
});
