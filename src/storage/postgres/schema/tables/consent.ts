import { pgTable, text, unique } from "drizzle-orm/pg-core";
import { CONSENT_ACTIONS } from "#contacts/consent/consent-entry.ts";
import { DECISION_SOURCES } from "#core/decision-source.ts";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const suppressions = pgTable(
  "suppressions",
  {
    seq: seq(),
    workspace: int8().notNull(),
    address: text().notNull(),
    reason: text({ enum: ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] }).notNull(),
    source: text({ enum: DECISION_SOURCES }),
    createdAt: int8("created_at").notNull(),
  },
  (t) => [unique().on(t.workspace, t.address)],
);

export const blockedDomains = pgTable(
  "blocked_domains",
  {
    seq: seq(),
    workspace: int8().notNull(),
    domain: text().notNull(),
    createdAt: int8("created_at").notNull(),
  },
  (t) => [unique().on(t.workspace, t.domain)],
);

export const consentLog = pgTable("consent_log", {
  seq: seq(),
  workspace: int8().notNull(),
  contactId: text("contact_id").notNull(),
  address: text().notNull(),
  action: text({ enum: CONSENT_ACTIONS }).notNull(),
  source: text({ enum: DECISION_SOURCES }).notNull(),
  at: int8().notNull(),
  formId: text("form_id"),
  clientAddress: text("client_address"),
  userAgent: text("user_agent"),
  reason: text(),
  listId: text("list_id"),
});
