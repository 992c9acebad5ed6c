import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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

export const workspaceEvents = sqliteTable(
  "workspace_events",
  { workspace: integer().notNull(), seq: integer().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.seq] })],
);

export const namedEvents = sqliteTable(
  "named_events",
  {
    workspace: integer().notNull(),
    name: text().notNull(),
    seq: integer().notNull(),
    contact: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    valueCents: integer("value_cents"),
    properties: text(),
  },
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
