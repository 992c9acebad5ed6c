import { boolean, pgTable } from "drizzle-orm/pg-core";
import { int8 } from "#storage/postgres/schema/columns.ts";

export const activityCounts = pgTable("activity_counts", {
  workspace: int8().notNull(),
  at: int8().notNull(),
  sent: int8().notNull().default(0),
  bounced: int8().notNull().default(0),
  opened: int8().notNull().default(0),
  clicked: int8().notNull().default(0),
  unsubscribed: int8().notNull().default(0),
  complained: int8().notNull().default(0),
  newContacts: int8("new_contacts").notNull().default(0),
  events: int8().notNull().default(0),
  returned: int8().notNull().default(0),
  folded: boolean().notNull().default(false),
  complainedElsewhere: int8("complained_elsewhere").notNull().default(0),
});

export const mailingActivity = pgTable("mailing_activity", {
  mailing: int8().notNull(),
  at: int8().notNull(),
  sent: int8().notNull().default(0),
  opened: int8().notNull().default(0),
  clicked: int8().notNull().default(0),
  bounced: int8().notNull().default(0),
  unsubscribed: int8().notNull().default(0),
  folded: boolean().notNull().default(false),
  bouncedLater: int8("bounced_later").notNull().default(0),
});
