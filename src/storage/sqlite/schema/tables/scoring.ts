import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const scoringRules = sqliteTable("scoring_rules", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  event: text().notNull(),
  minValueCents: integer("min_value_cents"),
  points: integer().notNull(),
  createdAt: integer("created_at").notNull(),
});
