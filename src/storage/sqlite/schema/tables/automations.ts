import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Trigger } from "#core/trigger.ts";

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
    since: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.kind, t.detail, t.automation] })],
);

export const automationPastListeners = sqliteTable("automation_past_listeners", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer().notNull(),
  kind: text().notNull(),
  detail: text().notNull(),
  automation: integer().notNull(),
  since: integer().notNull(),
  until: integer().notNull(),
});

export const automationTriggers = sqliteTable("automation_triggers", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer().notNull(),
  contact: integer().notNull(),
  kind: text().notNull(),
  detail: text().notNull(),
  event: integer(),
  depth: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  through: integer().notNull().default(0),
});

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

export const automationNodes = sqliteTable(
  "automation_nodes",
  {
    automation: integer().notNull(),
    node: text().notNull(),
    entered: integer().notNull(),
    completed: integer().notNull(),
    failed: integer().notNull(),
    removed: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.automation, t.node] })],
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
