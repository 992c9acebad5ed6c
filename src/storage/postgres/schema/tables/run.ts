import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { bytes, int8, seq } from "#storage/postgres/schema/columns.ts";

export const instance = pgTable("instance", {
  one: smallint().primaryKey(),
  signingSecret: bytes("signing_secret").notNull(),
  createdAt: int8("created_at").notNull(),
  origin: text(),
  movedTo: text("moved_to"),
});

export const nodes = pgTable("nodes", {
  id: seq(),
  name: text().notNull(),
  version: text().notNull(),
  startedAt: int8("started_at").notNull(),
  fencedAt: int8("fenced_at"),
  sweptAt: int8("swept_at"),
  epoch: int8().notNull().default(0),
});

export const nodeBeats = pgTable("node_beats", {
  node: int8().primaryKey(),
  until: int8().notNull(),
});
