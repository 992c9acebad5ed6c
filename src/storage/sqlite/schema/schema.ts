/**
 * The tables as Drizzle sees them. `migrations/sqlite` defines them (STRICT, checks, triggers, partial
 * indexes, FTS5, which Drizzle cannot express); `test/storage/schema.test.ts` compares the two, column by
 * column.
 */
import { blob, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { CONSENT_ACTIONS, CONSENT_SOURCES } from "#contacts/consent-entry.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import type { JsonObject } from "#core/json-value.ts";
import type { Trigger } from "#core/trigger.ts";
import type { SkipReason } from "#deliveries/ledger.ts";
import { SUPPRESSION_SOURCES } from "#suppression/source.ts";

export const instance = sqliteTable("instance", {
  only: integer().primaryKey(),
  signingSecret: blob("signing_secret", { mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
});

export const runs = sqliteTable("runs", {
  seq: integer().primaryKey({ autoIncrement: true }),
  startedAt: integer("started_at").notNull(),
});

export const workspaces = sqliteTable("workspaces", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  createdAt: integer("created_at").notNull(),
});

export const settings = sqliteTable(
  "settings",
  { workspace: integer().notNull(), key: text().notNull(), value: text().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);

export const apiKeys = sqliteTable("api_keys", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: blob({ mode: "buffer" }).notNull().unique(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
  scope: text({ enum: ["full", "send", "read"] })
    .notNull()
    .default("full"),
});

export const recordCounts = sqliteTable(
  "record_counts",
  {
    workspace: integer().notNull(),
    kind: text().notNull(),
    status: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.kind, t.status] })],
);

export const contacts = sqliteTable("contacts", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  email: text().notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  status: text({ enum: ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] }).notNull(),
  search: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const contactTags = sqliteTable(
  "contact_tags",
  {
    workspace: integer().notNull(),
    tag: text().notNull(),
    status: text().notNull(),
    contact: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.tag, t.status, t.contact] })],
);

export const contactCounts = sqliteTable(
  "contact_counts",
  {
    workspace: integer().notNull(),
    tag: text().notNull(),
    status: text().$type<ContactStatus>().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.tag, t.status] })],
);

export const searchCounts = sqliteTable(
  "search_counts",
  {
    workspace: integer().notNull(),
    list: integer().notNull(),
    tag: text().notNull(),
    term: text().notNull(),
    number: integer().notNull(),
    through: integer().notNull(),
    pending: integer().notNull(),
    subscribed: integer().notNull(),
    unsubscribed: integer().notNull(),
    bounced: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.list, t.tag, t.term] })],
);

export const suppressions = sqliteTable(
  "suppressions",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    workspace: integer().notNull(),
    address: text().notNull(),
    reason: text({ enum: ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] }).notNull(),
    source: text({ enum: SUPPRESSION_SOURCES }),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [unique().on(t.workspace, t.address)],
);

export const blockedDomains = sqliteTable(
  "blocked_domains",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    workspace: integer().notNull(),
    domain: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [unique().on(t.workspace, t.domain)],
);

export const consentLog = sqliteTable("consent_log", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer().notNull(),
  contactId: text("contact_id").notNull(),
  address: text().notNull(),
  action: text({ enum: CONSENT_ACTIONS }).notNull(),
  source: text({ enum: CONSENT_SOURCES }).notNull(),
  at: integer().notNull(),
  formId: text("form_id"),
  clientAddress: text("client_address"),
  userAgent: text("user_agent"),
  reason: text(),
});

export const lists = sqliteTable("lists", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  search: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const listMembers = sqliteTable(
  "list_members",
  {
    list: integer().notNull(),
    status: text().notNull(),
    contact: integer().notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.list, t.status, t.contact] })],
);

export const listDepartures = sqliteTable("list_departures", {
  seq: integer().primaryKey({ autoIncrement: true }),
  contact: integer().notNull(),
  list: integer().notNull(),
  joinedAt: integer("joined_at").notNull(),
  leftAt: integer("left_at").notNull(),
});

export const listCounts = sqliteTable(
  "list_counts",
  { list: integer().notNull(), status: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.list, t.status] })],
);

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
});

export const campaignBodies = sqliteTable("campaign_bodies", {
  campaign: integer().primaryKey(),
  html: text().notNull(),
});

export const forms = sqliteTable("forms", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  list: integer(),
  fields: text({ mode: "json" }).$type<string[]>().notNull(),
  style: text({ mode: "json" }).$type<JsonObject>().notNull(),
  successMessage: text("success_message").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const formSubmissions = sqliteTable("form_submissions", {
  seq: integer().primaryKey(),
  client: text().notNull(),
  at: integer().notNull(),
});

export const confirmations = sqliteTable("confirmations", {
  delivery: integer().primaryKey(),
  workspace: integer().notNull(),
  formId: text("form_id").notNull(),
  address: text().notNull(),
  createdAt: integer("created_at").notNull(),
  confirmedAt: integer("confirmed_at"),
  returns: integer().notNull().default(0),
  voidedAt: integer("voided_at"),
});

export const sendKeys = sqliteTable(
  "send_keys",
  {
    workspace: integer().notNull(),
    key: text().notNull(),
    bodyHash: blob("body_hash", { mode: "buffer" }).notNull(),
    answer: text(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);

export const mailingTags = sqliteTable(
  "mailing_tags",
  { mailing: integer().notNull(), tag: text().notNull() },
  (t) => [primaryKey({ columns: [t.mailing, t.tag] })],
);

export const events = sqliteTable("events", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  workspace: integer().notNull(),
  name: text().notNull(),
  contact: integer().notNull(),
  properties: text().notNull(),
  valueCents: integer("value_cents"),
  currency: text(),
  externalId: text("external_id"),
  createdAt: integer("created_at").notNull(),
});

export const eventIndex = sqliteTable("event_index", {
  only: integer().primaryKey(),
  through: integer().notNull(),
});

export const searchIndex = sqliteTable("search_index", {
  only: integer().primaryKey(),
  through: integer().notNull(),
});

export const workspaceEvents = sqliteTable(
  "workspace_events",
  { workspace: integer().notNull(), seq: integer().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.seq] })],
);

export const namedEvents = sqliteTable(
  "named_events",
  { workspace: integer().notNull(), name: text().notNull(), seq: integer().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.name, t.seq] })],
);

export const contactEvents = sqliteTable(
  "contact_events",
  {
    contact: integer().notNull(),
    seq: integer().notNull(),
    name: text().notNull(),
    valueCents: integer("value_cents"),
  },
  (t) => [primaryKey({ columns: [t.contact, t.seq] })],
);

export const scoringRules = sqliteTable("scoring_rules", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  event: text().notNull(),
  minValueCents: integer("min_value_cents"),
  points: integer().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const automations = sqliteTable("automations", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  status: text({ enum: ["DRAFT", "LIVE", "PAUSED", "DELETED"] }).notNull(),
  flowVersion: integer("flow_version").notNull().default(1),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const automationFlows = sqliteTable("automation_flows", {
  automation: integer().primaryKey(),
  flow: text().notNull(),
});

export const automationListeners = sqliteTable(
  "automation_listeners",
  {
    workspace: integer().notNull(),
    kind: text().notNull(),
    detail: text().notNull(),
    automation: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.kind, t.detail, t.automation] })],
);

export const automationStarts = sqliteTable("automation_starts", {
  seq: integer().primaryKey({ autoIncrement: true }),
  automation: integer().notNull(),
  contact: integer().notNull(),
  kind: text().$type<Trigger["kind"]>().notNull(),
  detail: text().notNull(),
  event: integer(),
  depth: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  nextTryAt: integer("next_try_at").notNull(),
  attempts: integer().notNull().default(0),
  problem: text(),
});

export const enrollments = sqliteTable("enrollments", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  automation: integer().notNull(),
  contact: integer().notNull(),
  event: integer(),
  depth: integer().notNull(),
  status: text({ enum: ["ACTIVE", "COMPLETED", "FAILED"] }).notNull(),
  node: text().notNull(),
  waiting: integer().notNull().default(0),
  steps: integer().notNull().default(0),
  stepsSinceWait: integer("steps_since_wait").notNull().default(0),
  nextRunAt: integer("next_run_at").notNull(),
  enrolledAt: integer("enrolled_at").notNull(),
  completedAt: integer("completed_at"),
  errorMessage: text("error_message"),
  attempts: integer().notNull().default(0),
  firstAttemptAt: integer("first_attempt_at"),
  problem: text(),
});

export const enrollmentCounts = sqliteTable(
  "enrollment_counts",
  { automation: integer().notNull(), status: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.automation, t.status] })],
);

export const automationMailings = sqliteTable("automation_mailings", {
  mailing: integer().primaryKey(),
  automation: integer().notNull(),
  node: text().notNull(),
});

export const automationDeliveries = sqliteTable("automation_deliveries", {
  delivery: integer().primaryKey(),
  enrollment: integer().notNull(),
  execution: integer().notNull(),
  event: integer(),
});

export const deliveryLinks = sqliteTable(
  "delivery_links",
  { delivery: integer().notNull(), number: integer().notNull(), url: text().notNull() },
  (t) => [primaryKey({ columns: [t.delivery, t.number] })],
);
