import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DeliveryState, SkipReason } from "#deliveries/ledger.ts";

export const mailings = sqliteTable("mailings", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer().notNull(),
  kind: text({ enum: ["campaign", "automation", "transactional", "confirmation"] }).notNull(),
  sourceId: text("source_id").notNull(),
  phase: text({ enum: ["planning", "sending", "finished", "stopped"] }).notNull(),
  held: integer().notNull().default(0),
  list: integer(),
  plannedThrough: integer("planned_through").notNull().default(0),
  scheduledAt: integer("scheduled_at"),
  reservedDay: text("reserved_day"),
  reservedMonth: text("reserved_month"),
  createdAt: integer("created_at").notNull(),
  startedAt: integer("started_at"),
  finishedAt: integer("finished_at"),
  planned: integer().notNull().default(0),
  queued: integer().notNull().default(0),
  dot: integer().notNull().default(0),
  sent: integer().notNull().default(0),
  bounced: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  uncertain: integer().notNull().default(0),
  skipped: integer().notNull().default(0),
  accepted: integer().notNull().default(0),
  opened: integer().notNull().default(0),
  clicked: integer().notNull().default(0),
  unsubscribed: integer().notNull().default(0),
  machineOpened: integer("machine_opened").notNull().default(0),
  machineClicked: integer("machine_clicked").notNull().default(0),
  suspected: integer().notNull().default(0),
  isTest: integer("is_test").notNull().default(0),
});

export const mailingAudiences = sqliteTable("mailing_audiences", {
  mailing: integer().primaryKey(),
  audience: text().notNull(),
  asked: blob({ mode: "buffer" }),
  excluded: blob({ mode: "buffer" }),
});

export const mailingContents = sqliteTable("mailing_contents", {
  mailing: integer().primaryKey(),
  content: text().notNull(),
});

export const mailingExclusions = sqliteTable(
  "mailing_exclusions",
  { mailing: integer().notNull(), address: text().notNull() },
  (t) => [primaryKey({ columns: [t.mailing, t.address] })],
);

export const mailingLinks = sqliteTable(
  "mailing_links",
  { mailing: integer().notNull(), number: integer().notNull(), url: text().notNull() },
  (t) => [primaryKey({ columns: [t.mailing, t.number] })],
);

export const mailingSkips = sqliteTable(
  "mailing_skips",
  {
    mailing: integer().notNull(),
    reason: text().$type<SkipReason>().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.reason] })],
);

export const mailingReasons = sqliteTable(
  "mailing_reasons",
  {
    mailing: integer().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    reason: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.state, t.reason] })],
);

export const mailingTags = sqliteTable(
  "mailing_tags",
  { mailing: integer().notNull(), tag: text().notNull() },
  (t) => [primaryKey({ columns: [t.mailing, t.tag] })],
);

export const deliveries = sqliteTable("deliveries", {
  seq: integer().primaryKey({ autoIncrement: true }),
  mailing: integer().notNull(),
  contact: integer(),
  address: text().notNull(),
  visit: integer().notNull().default(0),
  state: text({ enum: ["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped"] }).notNull(),
  reason: text(),
  attempts: integer().notNull().default(0),
  firstAttemptAt: integer("first_attempt_at"),
  nextAttemptAt: integer("next_attempt_at"),
  run: integer(),
  replyCode: integer("reply_code"),
  replyEnhanced: text("reply_enhanced"),
  replyText: text("reply_text"),
  settledAt: integer("settled_at"),
  openedAt: integer("opened_at"),
  clickedAt: integer("clicked_at"),
  unsubscribedAt: integer("unsubscribed_at"),
  machineOpenedAt: integer("machine_opened_at"),
  machineClickedAt: integer("machine_clicked_at"),
  suspectedAt: integer("suspected_at"),
  bouncedAt: integer("bounced_at"),
  complainedAt: integer("complained_at"),
  detail: text(),
});

export const deliveryLinks = sqliteTable(
  "delivery_links",
  { delivery: integer().notNull(), number: integer().notNull(), url: text().notNull() },
  (t) => [primaryKey({ columns: [t.delivery, t.number] })],
);

export const linkClicks = sqliteTable("link_clicks", {
  seq: integer().primaryKey(),
  mailing: integer().notNull(),
  url: text().notNull(),
  clicks: integer().notNull(),
  recipients: integer().notNull(),
});

export const deliveryClicks = sqliteTable(
  "delivery_clicks",
  { delivery: integer().notNull(), link: integer().notNull() },
  (t) => [primaryKey({ columns: [t.delivery, t.link] })],
);

export const deliveryValues = sqliteTable("delivery_values", {
  delivery: integer().primaryKey(),
  contact: integer().notNull(),
  at: integer().notNull(),
  kept: text().notNull(),
});

export const addressStrikes = sqliteTable(
  "address_strikes",
  {
    workspace: integer().notNull(),
    address: text().notNull(),
    kind: text().notNull(),
    count: integer().notNull(),
    firstAt: integer("first_at").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.address, t.kind] })],
);

export const sendingUsage = sqliteTable(
  "sending_usage",
  { workspace: integer().notNull(), period: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.period] })],
);

export const domainSends = sqliteTable(
  "domain_sends",
  {
    workspace: integer().notNull(),
    domain: text().notNull(),
    at: integer().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.domain, t.at] })],
);
