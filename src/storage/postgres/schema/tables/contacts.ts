import { boolean, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { ContactStatus } from "#contacts/contact.ts";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const contacts = pgTable(
  "contacts",
  {
    seq: seq(),
    id: text().notNull().unique(),
    workspace: int8().notNull(),
    email: text().notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    tags: text().array().notNull().default([]),
    status: text({ enum: ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] }).notNull(),
    search: text().notNull(),
    createdAt: int8("created_at").notNull(),
  },
  (t) => [unique().on(t.workspace, t.email)],
);

export const contactTags = pgTable(
  "contact_tags",
  {
    workspace: int8().notNull(),
    tag: text().notNull(),
    status: text().notNull(),
    contact: int8().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.tag, t.status, t.contact] })],
);

export const contactCounts = pgTable("contact_counts", {
  workspace: int8().notNull(),
  tag: text().notNull(),
  status: text().$type<ContactStatus>().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});
