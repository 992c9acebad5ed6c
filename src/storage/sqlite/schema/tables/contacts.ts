import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ContactStatus } from "#contacts/contact.ts";

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
