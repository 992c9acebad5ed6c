import { boolean, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { Trigger } from "#core/trigger.ts";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const automations = pgTable("automations", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  status: text({ enum: ["DRAFT", "LIVE", "PAUSED", "DELETED"] }).notNull(),
  flowVersion: integer("flow_version").notNull().default(1),
  createdAt: int8("created_at").notNull(),
  updatedAt: int8("updated_at").notNull(),
});

export const automationFlows = pgTable("automation_flows", {
  automation: int8().primaryKey(),
  flow: text().notNull(),
});

export const automationListeners = pgTable(
  "automation_listeners",
  {
    workspace: int8().notNull(),
    kind: text().notNull(),
    detail: text().notNull(),
    automation: int8().notNull(),
    since: int8().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.kind, t.detail, t.automation] })],
);

export const automationPastListeners = pgTable("automation_past_listeners", {
  seq: seq(),
  workspace: int8().notNull(),
  kind: text().notNull(),
  detail: text().notNull(),
  automation: int8().notNull(),
  since: int8().notNull(),
  until: int8().notNull(),
});

export const automationTriggers = pgTable("automation_triggers", {
  seq: seq(),
  workspace: int8().notNull(),
  contact: int8().notNull(),
  kind: text().notNull(),
  detail: text().notNull(),
  event: int8(),
  depth: integer().notNull(),
  createdAt: int8("created_at").notNull(),
  through: int8().notNull().default(0),
});

export const automationStarts = pgTable("automation_starts", {
  seq: seq(),
  automation: int8().notNull(),
  contact: int8().notNull(),
  kind: text().$type<Trigger["kind"]>().notNull(),
  detail: text().notNull(),
  event: int8(),
  depth: integer().notNull(),
  createdAt: int8("created_at").notNull(),
  nextTryAt: int8("next_try_at").notNull(),
  attempts: integer().notNull().default(0),
  problem: text(),
});

export const enrollments = pgTable("enrollments", {
  seq: seq(),
  id: text().notNull(),
  automation: int8().notNull(),
  contact: int8().notNull(),
  event: int8(),
  depth: integer().notNull(),
  status: text({ enum: ["ACTIVE", "COMPLETED", "FAILED"] }).notNull(),
  node: text().notNull(),
  waiting: boolean().notNull().default(false),
  steps: integer().notNull().default(0),
  stepsSinceWait: integer("steps_since_wait").notNull().default(0),
  nextRunAt: int8("next_run_at").notNull(),
  enrolledAt: int8("enrolled_at").notNull(),
  completedAt: int8("completed_at"),
  errorMessage: text("error_message"),
  attempts: integer().notNull().default(0),
  firstAttemptAt: int8("first_attempt_at"),
  problem: text(),
});

export const enrollmentCounts = pgTable("enrollment_counts", {
  automation: int8().notNull(),
  status: text().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});

export const automationNodes = pgTable("automation_nodes", {
  automation: int8().notNull(),
  node: text().notNull(),
  entered: int8().notNull().default(0),
  completed: int8().notNull().default(0),
  failed: int8().notNull().default(0),
  removed: int8().notNull().default(0),
  folded: boolean().notNull().default(false),
});

export const automationMailings = pgTable("automation_mailings", {
  mailing: int8().primaryKey(),
  automation: int8().notNull(),
  node: text().notNull(),
});

export const automationDeliveries = pgTable(
  "automation_deliveries",
  {
    delivery: int8().primaryKey(),
    enrollment: int8().notNull(),
    execution: int8().notNull(),
    event: int8(),
  },
  (t) => [unique().on(t.enrollment, t.execution)],
);
