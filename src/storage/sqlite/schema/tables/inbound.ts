import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const hookTokens = sqliteTable(
  "hook_tokens",
  {
    workspace: integer().notNull(),
    token: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.token] })],
);
