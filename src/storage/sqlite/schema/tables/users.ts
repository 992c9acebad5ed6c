import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const users = sqliteTable("users", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  email: text().notNull().unique(),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  totpStep: integer("totp_step"),
  totpProposed: text("totp_proposed"),
  createdAt: integer("created_at").notNull(),
  lastSeenAt: integer("last_seen_at"),
});

export const memberships = sqliteTable("memberships", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer().notNull(),
  user: integer().notNull(),
  role: text({ enum: ["owner", "editor", "viewer"] }).notNull(),
  createdAt: integer("created_at").notNull(),
  joinedAt: integer("joined_at"),
});

export const sessions = sqliteTable("sessions", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  user: integer().notNull(),
  hash: blob({ mode: "buffer" }).notNull().unique(),
  stays: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  lastSeenAt: integer("last_seen_at").notNull(),
});

export const passkeys = sqliteTable("passkeys", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  user: integer().notNull(),
  name: text().notNull(),
  host: text().notNull(),
  credential: text().notNull().unique(),
  publicKey: blob("public_key", { mode: "buffer" }).notNull(),
  counter: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

export const usedChallenges = sqliteTable("used_challenges", {
  challenge: text().primaryKey(),
  expiresAt: integer("expires_at").notNull(),
});

export const welcomeLinks = sqliteTable("welcome_links", {
  seq: integer().primaryKey({ autoIncrement: true }),
  hash: blob({ mode: "buffer" }).notNull().unique(),
  user: integer(),
  workspace: integer(),
  expiresAt: integer("expires_at"),
});

export const audit = sqliteTable("audit", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspace: integer(),
  at: integer().notNull(),
  who: text().notNull(),
  what: text().notNull(),
  target: text(),
});
