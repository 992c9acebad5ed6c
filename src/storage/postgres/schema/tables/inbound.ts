import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { int8 } from "#storage/postgres/schema/columns.ts";

export const hookTokens = pgTable(
  "hook_tokens",
  {
    workspace: int8().notNull(),
    token: text().notNull(),
    expiresAt: int8("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.token] })],
);
