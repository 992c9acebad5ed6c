import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATES, type Attempt } from "#webhooks/delivery.ts";
import { WEBHOOK_STATES } from "#webhooks/webhook.ts";

export const webhooks = sqliteTable("webhooks", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  url: text().notNull(),
  events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
  state: text({ enum: WEBHOOK_STATES }).notNull(),
  disabledReason: text("disabled_reason"),
  secret: text().notNull(),
  oldSecret: text("old_secret"),
  oldSecretUntil: integer("old_secret_until"),
  createdAt: integer("created_at").notNull(),
  failures: integer().notNull().default(0),
  failingSince: integer("failing_since"),
  resumeAt: integer("resume_at").notNull().default(0),
});

export const webhookDeliveries = sqliteTable("webhook_deliveries", {
  seq: integer().primaryKey({ autoIncrement: true }),
  webhook: integer().notNull(),
  nonce: text().notNull(),
  type: text().notNull(),
  data: text().notNull(),
  createdAt: integer("created_at").notNull(),
  state: text({ enum: DELIVERY_STATES }).notNull().default("PENDING"),
  nextAttemptAt: integer("next_attempt_at"),
  tries: integer().notNull().default(0),
  firstTriedAt: integer("first_tried_at"),
  attempts: text({ mode: "json" }).$type<readonly Attempt[]>().notNull().default([]),
});

export const webhookCounts = sqliteTable(
  "webhook_counts",
  { webhook: integer().notNull(), state: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.webhook, t.state] })],
);
