import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, int8, seq } from "#storage/postgres/schema/columns.ts";

export const workspaces = pgTable("workspaces", {
  seq: seq(),
  id: text().notNull().unique(),
  createdAt: int8("created_at").notNull(),
});

export const settings = pgTable(
  "settings",
  {
    workspace: int8().notNull(),
    key: text().notNull(),
    value: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);

export const apiKeys = pgTable("api_keys", {
  seq: seq(),
  id: text().notNull().unique(),
  workspace: int8().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: bytes().notNull().unique(),
  createdAt: int8("created_at").notNull(),
  lastUsedAt: int8("last_used_at"),
  revokedAt: int8("revoked_at"),
  scope: text({ enum: ["full", "send", "read"] })
    .notNull()
    .default("full"),
});

export const recordCounts = pgTable("record_counts", {
  workspace: int8().notNull(),
  kind: text().notNull(),
  status: text().notNull(),
  n: int8().notNull(),
  folded: boolean().notNull().default(false),
});
