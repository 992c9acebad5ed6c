import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const workspaces = sqliteTable("workspaces", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  createdAt: integer("created_at").notNull(),
});

export const settings = sqliteTable(
  "settings",
  { workspace: integer().notNull(), key: text().notNull(), value: text().notNull() },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);

export const apiKeys = sqliteTable("api_keys", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  workspace: integer().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: blob({ mode: "buffer" }).notNull().unique(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
  scope: text({ enum: ["full", "send", "read"] })
    .notNull()
    .default("full"),
});

export const recordCounts = sqliteTable(
  "record_counts",
  {
    workspace: integer().notNull(),
    kind: text().notNull(),
    status: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.kind, t.status] })],
);
