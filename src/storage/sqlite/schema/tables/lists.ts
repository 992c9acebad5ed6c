import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const lists = sqliteTable("lists", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  search: text().notNull(),
  createdAt: integer("created_at").notNull(),
  isPublic: integer("is_public").notNull().default(0),
  publicName: text("public_name").notNull().default(""),
  description: text().notNull().default(""),
});

export const listMembers = sqliteTable(
  "list_members",
  {
    list: integer().notNull(),
    status: text().notNull(),
    contact: integer().notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.list, t.status, t.contact] })],
);

export const listDepartures = sqliteTable("list_departures", {
  seq: integer().primaryKey({ autoIncrement: true }),
  contact: integer().notNull(),
  list: integer().notNull(),
  joinedAt: integer("joined_at").notNull(),
  leftAt: integer("left_at").notNull(),
});

export const listCounts = sqliteTable(
  "list_counts",
  { list: integer().notNull(), status: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.list, t.status] })],
);
