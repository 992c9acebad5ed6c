import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const campaigns = pgTable("campaigns", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  subject: text().notNull(),
  search: text().notNull(),
  status: text({ enum: ["DRAFT", "SCHEDULED", "SENT"] }).notNull(),
  list: int8(),
  scheduledAt: int8("scheduled_at"),
  sentAt: int8("sent_at"),
  mailing: int8(),
  blocked: text(),
  nextTryAt: int8("next_try_at"),
  held: boolean().notNull().default(false),
  createdAt: int8("created_at").notNull(),
  paused: text(),
  autoPaused: boolean("auto_paused").notNull().default(false),
});

export const campaignBodies = pgTable("campaign_bodies", {
  campaign: int8().primaryKey(),
  html: text().notNull(),
  text: text(),
});

export const campaignOptions = pgTable("campaign_options", {
  campaign: int8().primaryKey(),
  options: text().notNull(),
});

export const campaignSegments = pgTable(
  "campaign_segments",
  {
    segment: int8().notNull(),
    campaign: int8().notNull(),
  },
  (t) => [primaryKey({ columns: [t.segment, t.campaign] })],
);
