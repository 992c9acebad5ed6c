import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, int8 } from "#storage/postgres/schema/columns.ts";

export const shownLetters = pgTable("shown_letters", {
  token: text().primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  html: bytes().notNull(),
  expiresAt: int8("expires_at").notNull(),
});
