import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, int8 } from "#storage/postgres/schema/columns.ts";

export const sendKeys = pgTable(
  "send_keys",
  {
    workspace: int8().notNull(),
    key: text().notNull(),
    bodyHash: bytes("body_hash").notNull(),
    answer: text(),
    createdAt: int8("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.key] })],
);

export const messages = pgTable(
  "messages",
  {
    workspace: int8().notNull(),
    delivery: int8().notNull(),
    address: text().notNull(),
    state: text({ enum: ["queued", "sent", "bounced", "failed", "uncertain", "skipped"] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.delivery] })],
);
