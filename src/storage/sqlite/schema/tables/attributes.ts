import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const contactAttributes = sqliteTable("contact_attributes", {
  contact: integer().primaryKey(),
  workspace: integer().notNull(),
  attributes: blob({ mode: "buffer" }).notNull(),
  folded: blob({ mode: "buffer" }),
});

export const attributeCounts = sqliteTable(
  "attribute_counts",
  {
    workspace: integer().notNull(),
    name: text().notNull(),
    type: text({ enum: ["string", "number", "boolean", "list"] }).notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace, t.name, t.type] })],
);
