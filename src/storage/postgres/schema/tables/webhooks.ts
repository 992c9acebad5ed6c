import { boolean, integer, pgTable, text } from "drizzle-orm/pg-core";
import { DELIVERY_STATES, type Attempt } from "#webhooks/delivery.ts";
import { WEBHOOK_STATES } from "#webhooks/webhook.ts";
import { int8, jsonText, seq } from "#storage/postgres/schema/columns.ts";

export const webhooks = pgTable("webhooks", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  url: text().notNull(),
  events: jsonText().$type<readonly string[]>().notNull(),
  state: text({ enum: WEBHOOK_STATES }).notNull(),
  disabledReason: text("disabled_reason"),
  secret: text().notNull(),
  oldSecret: text("old_secret"),
  oldSecretUntil: int8("old_secret_until"),
  createdAt: int8("created_at").notNull(),
  failures: integer().notNull().default(0),
  failingSince: int8("failing_since"),
  resumeAt: int8("resume_at").notNull().default(0),
  node: int8(),
});

export const webhookDeliveries = pgTable("webhook_deliveries", {
  seq: seq(),
  webhook: int8().notNull(),
  nonce: text().notNull(),
  type: text().notNull(),
  data: text().notNull(),
  createdAt: int8("created_at").notNull(),
  state: text({ enum: DELIVERY_STATES }).notNull().default("PENDING"),
  nextAttemptAt: int8("next_attempt_at"),
  tries: integer().notNull().default(0),
  firstTriedAt: int8("first_tried_at"),
  attempts: jsonText().$type<readonly Attempt[]>().notNull().default([]),
});

export const webhookCounts = pgTable("webhook_counts", {
  webhook: int8().notNull(),
  state: text().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});
