import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { CONSENT_ACTIONS } from "#contacts/consent/consent-entry.ts";
import { DECISION_SOURCES } from "#core/decision-source.ts";

export const suppressions = sqliteTable(
  "suppressions",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    workspace: integer().notNull(),
    address: text().notNull(),
    reason: text({ enum: ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] }).notNull(),
    source: text({ enum: DECISION_SOURCES }),
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
  source: text({ enum: DECISION_SOURCES }).notNull(),
  at: integer().notNull(),
  formId: text("form_id"),
  clientAddress: text("client_address"),
  userAgent: text("user_agent"),
  reason: text(),
  listId: text("list_id"),
});
