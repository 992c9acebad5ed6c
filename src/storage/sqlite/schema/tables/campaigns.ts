import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const campaigns = sqliteTable("campaigns", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  subject: text().notNull(),
  search: text().notNull(),
  status: text({ enum: ["DRAFT", "SCHEDULED", "SENT"] }).notNull(),
  list: integer(),
  scheduledAt: integer("scheduled_at"),
  sentAt: integer("sent_at"),
  mailing: integer(),
  blocked: text(),
  nextTryAt: integer("next_try_at"),
  held: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
  paused: text(),
  autoPaused: integer("auto_paused").notNull().default(0),
});

export const campaignBodies = sqliteTable("campaign_bodies", {
  campaign: integer().primaryKey(),
  html: text().notNull(),
  text: text(),
});

export const campaignOptions = sqliteTable("campaign_options", {
  campaign: integer().primaryKey(),
  options: text().notNull(),
});

export const campaignSegments = sqliteTable(
  "campaign_segments",
  { segment: integer().notNull(), campaign: integer().notNull() },
  (t) => [primaryKey({ columns: [t.segment, t.campaign] })],
);
