import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

export const activityCounts = sqliteTable(
  "activity_counts",
  {
    workspace: integer().notNull(),
    at: integer().notNull(),
    sent: integer().notNull(),
    bounced: integer().notNull(),
    opened: integer().notNull(),
    clicked: integer().notNull(),
    unsubscribed: integer().notNull(),
    complained: integer().notNull(),
    newContacts: integer("new_contacts").notNull(),
    events: integer().notNull(),
    returned: integer().notNull().default(0),
    complainedElsewhere: integer("complained_elsewhere").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.at] })],
);

export const mailingActivity = sqliteTable(
  "mailing_activity",
  {
    mailing: integer().notNull(),
    at: integer().notNull(),
    sent: integer().notNull(),
    opened: integer().notNull(),
    clicked: integer().notNull(),
    bounced: integer().notNull(),
    unsubscribed: integer().notNull(),
    bouncedLater: integer("bounced_later").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailing, t.at] })],
);
