import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, int8, seq } from "#storage/postgres/schema/columns.ts";

export const users = pgTable("users", {
  seq: seq(),
  id: text().notNull().unique(),
  email: text().notNull().unique(),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  totpStep: int8("totp_step"),
  totpProposed: text("totp_proposed"),
  createdAt: int8("created_at").notNull(),
  lastSeenAt: int8("last_seen_at"),
});

export const memberships = pgTable("memberships", {
  seq: seq(),
  workspace: int8().notNull(),
  person: int8().notNull(),
  role: text({ enum: ["owner", "editor", "viewer"] }).notNull(),
  createdAt: int8("created_at").notNull(),
  joinedAt: int8("joined_at"),
});

export const sessions = pgTable("sessions", {
  seq: seq(),
  id: text().notNull().unique(),
  person: int8().notNull(),
  hash: bytes().notNull().unique(),
  stays: boolean().notNull(),
  createdAt: int8("created_at").notNull(),
  lastSeenAt: int8("last_seen_at").notNull(),
});

export const passkeys = pgTable("passkeys", {
  seq: seq(),
  id: text().notNull().unique(),
  person: int8().notNull(),
  name: text().notNull(),
  host: text().notNull(),
  credential: text().notNull().unique(),
  publicKey: bytes("public_key").notNull(),
  counter: int8().notNull(),
  createdAt: int8("created_at").notNull(),
  lastUsedAt: int8("last_used_at"),
});

export const usedChallenges = pgTable("used_challenges", {
  challenge: text().primaryKey(),
  expiresAt: int8("expires_at").notNull(),
});

export const welcomeLinks = pgTable("welcome_links", {
  seq: seq(),
  hash: bytes().notNull().unique(),
  person: int8(),
  workspace: int8(),
  expiresAt: int8("expires_at"),
});

export const audit = pgTable("audit", {
  seq: seq(),
  workspace: int8(),
  at: int8().notNull(),
  who: text().notNull(),
  what: text().notNull(),
  target: text(),
});
