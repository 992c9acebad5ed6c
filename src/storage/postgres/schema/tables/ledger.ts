import { boolean, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { DeliveryState, SkipReason } from "#deliveries/ledger.ts";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const mailings = pgTable(
  "mailings",
  {
    seq: seq(),
    workspace: int8().notNull(),
    kind: text({ enum: ["campaign", "automation", "transactional", "confirmation"] }).notNull(),
    sourceId: text("source_id").notNull(),
    phase: text({ enum: ["planning", "sending", "finished", "stopped"] }).notNull(),
    held: integer().notNull().default(0),
    list: int8(),
    plannedThrough: int8("planned_through").notNull().default(0),
    scheduledAt: int8("scheduled_at"),
    reservedDay: text("reserved_day"),
    reservedMonth: text("reserved_month"),
    createdAt: int8("created_at").notNull(),
    startedAt: int8("started_at"),
    finishedAt: int8("finished_at"),
    isTest: boolean("is_test").notNull().default(false),
    node: int8(),
  },
  (t) => [unique().on(t.kind, t.sourceId)],
);

export const mailingAudiences = pgTable("mailing_audiences", {
  mailing: int8().primaryKey(),
  audience: text().notNull(),
  settled: boolean().notNull().default(false),
});

export const plans = pgTable("plans", {
  mailing: int8().primaryKey(),
  node: int8(),
  overrideQuietHours: boolean("override_quiet_hours").notNull().default(false),
  givenUp: boolean("given_up").notNull().default(false),
});

export const planContacts = pgTable(
  "plan_contacts",
  {
    mailing: int8().notNull(),
    contact: int8().notNull(),
    excluded: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.contact] })],
);

export const mailingContents = pgTable("mailing_contents", {
  mailing: int8().primaryKey(),
  content: text().notNull(),
});

export const mailingExclusions = pgTable(
  "mailing_exclusions",
  {
    mailing: int8().notNull(),
    address: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.address] })],
);

export const mailingLinks = pgTable(
  "mailing_links",
  {
    mailing: int8().notNull(),
    number: integer().notNull(),
    url: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.number] })],
);

export const mailingSkips = pgTable("mailing_skips", {
  mailing: int8().notNull(),
  reason: text().$type<SkipReason>().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});

export const mailingReasons = pgTable("mailing_reasons", {
  mailing: int8().notNull(),
  state: text().$type<DeliveryState>().notNull(),
  reason: text().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});

export const mailingTags = pgTable(
  "mailing_tags",
  {
    mailing: int8().notNull(),
    tag: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.tag] })],
);

export const deliveries = pgTable(
  "deliveries",
  {
    seq: seq(),
    mailing: int8().notNull(),
    contact: int8(),
    address: text().notNull(),
    visit: int8().notNull().default(0),
    state: text({ enum: ["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped"] }).notNull(),
    reason: text(),
    attempts: integer().notNull().default(0),
    firstAttemptAt: int8("first_attempt_at"),
    nextAttemptAt: int8("next_attempt_at"),
    node: int8(),
    replyCode: integer("reply_code"),
    replyEnhanced: text("reply_enhanced"),
    replyText: text("reply_text"),
    settledAt: int8("settled_at"),
    openedAt: int8("opened_at"),
    clickedAt: int8("clicked_at"),
    unsubscribedAt: int8("unsubscribed_at"),
    machineOpenedAt: int8("machine_opened_at"),
    machineClickedAt: int8("machine_clicked_at"),
    suspectedAt: int8("suspected_at"),
    bouncedAt: int8("bounced_at"),
    complainedAt: int8("complained_at"),
    detail: text(),
  },
  (t) => [unique().on(t.mailing, t.address, t.visit)],
);

export const deliveryLinks = pgTable(
  "delivery_links",
  {
    delivery: int8().notNull(),
    number: integer().notNull(),
    url: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.delivery, t.number] })],
);

export const linkClicks = pgTable("link_clicks", {
  seq: seq(),
  mailing: int8().notNull(),
  url: text().notNull(),
  clicks: int8().notNull(),
  recipients: int8().notNull(),
});

export const deliveryClicks = pgTable(
  "delivery_clicks",
  {
    delivery: int8().notNull(),
    link: int8().notNull(),
  },
  (t) => [primaryKey({ columns: [t.delivery, t.link] })],
);

export const deliveryValues = pgTable("delivery_values", {
  delivery: int8().primaryKey(),
  contact: int8().notNull(),
  at: int8().notNull(),
  kept: text().notNull(),
});

export const addressStrikes = pgTable(
  "address_strikes",
  {
    workspace: int8().notNull(),
    address: text().notNull(),
    kind: text().notNull(),
    count: integer().notNull(),
    firstAt: int8("first_at").notNull(),
    lastAt: int8("last_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.address, t.kind] })],
);

export const sendingUsage = pgTable(
  "sending_usage",
  {
    workspace: int8().notNull(),
    period: text().notNull(),
    n: int8().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.period] })],
);

export const domainSends = pgTable("domain_sends", {
  workspace: int8().notNull(),
  domain: text().notNull(),
  at: int8().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});

export const tallies = pgTable(
  "tallies",
  {
    mailing: int8().notNull(),
    slot: int8().notNull(),
    planned: int8().notNull().default(0),
    queued: int8().notNull().default(0),
    dot: int8().notNull().default(0),
    sent: int8().notNull().default(0),
    bounced: int8().notNull().default(0),
    failed: int8().notNull().default(0),
    uncertain: int8().notNull().default(0),
    skipped: int8().notNull().default(0),
    accepted: int8().notNull().default(0),
    opened: int8().notNull().default(0),
    clicked: int8().notNull().default(0),
    unsubscribed: int8().notNull().default(0),
    machineOpened: int8("machine_opened").notNull().default(0),
    machineClicked: int8("machine_clicked").notNull().default(0),
    suspected: int8().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.slot] })],
);

export const slices = pgTable(
  "slices",
  {
    mailing: int8().notNull(),
    n: integer().notNull(),
    lo: int8().notNull(),
    hi: int8().notNull(),
    node: int8(),
    done: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.n] })],
);

export const retries = pgTable("retries", {
  message: int8().primaryKey(),
  mailing: int8().notNull(),
  at: int8().notNull(),
  node: int8(),
});

/**
 * The rare ends of messages, so that they are found without an index on `deliveries.state`. Also those `sent`
 * that have a reason: a report or the recipient shows that they arrived.
 */
export const deliveryEnds = pgTable(
  "delivery_ends",
  {
    mailing: int8().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    message: int8().notNull(),
    reason: text(),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.state, t.message] })],
);
