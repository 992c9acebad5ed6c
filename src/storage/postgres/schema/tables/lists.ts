import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const lists = pgTable("lists", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  search: text().notNull(),
  createdAt: int8("created_at").notNull(),
  isPublic: boolean("is_public").notNull().default(false),
  publicName: text("public_name").notNull().default(""),
  description: text().notNull().default(""),
});

export const listMembers = pgTable(
  "list_members",
  {
    list: int8().notNull(),
    contact: int8().notNull(),
    status: text().notNull(),
    addedAt: int8("added_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.contact, t.list] })],
);

export const listDepartures = pgTable("list_departures", {
  seq: seq(),
  contact: int8().notNull(),
  list: int8().notNull(),
  joinedAt: int8("joined_at").notNull(),
  leftAt: int8("left_at").notNull(),
});

export const listCounts = pgTable("list_counts", {
  list: int8().notNull(),
  status: text().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});
