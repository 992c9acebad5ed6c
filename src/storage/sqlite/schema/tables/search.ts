import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const searchCounts = sqliteTable(
  "search_counts",
  {
    workspace: integer().notNull(),
    list: integer().notNull(),
    tag: text().notNull(),
    term: text().notNull(),
    number: integer().notNull(),
    through: integer().notNull(),
    pending: integer().notNull(),
    subscribed: integer().notNull(),
    unsubscribed: integer().notNull(),
    bounced: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.list, t.tag, t.term] })],
);

export const searchIndex = sqliteTable("search_index", {
  only: integer().primaryKey(),
  through: integer().notNull(),
});
