import { pgTable, text } from "drizzle-orm/pg-core";
import { int8, seq } from "#storage/postgres/schema/columns.ts";

export const scoringRules = pgTable("scoring_rules", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  event: text().notNull(),
  minValueCents: int8("min_value_cents"),
  points: int8().notNull(),
  createdAt: int8("created_at").notNull(),
});
