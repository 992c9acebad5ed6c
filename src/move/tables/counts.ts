import type { MovedTable } from "#move/table.ts";

/** Numbers that are kept for many rows, and what else PostgreSQL keeps by triggers. */
export const COUNTS: readonly MovedTable[] = [
  // Counts, and what else PostgreSQL keeps by triggers.
  {
    name: "record_counts",
    key: ["workspace", "kind", "status"],
    columns: { int: "workspace n", text: "kind status" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  {
    name: "contact_counts",
    key: ["workspace", "tag", "status"],
    columns: { int: "workspace n", text: "tag status" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  {
    name: "contact_tags",
    key: ["workspace", "tag", "status", "contact"],
    columns: { int: "workspace contact", text: "tag status" },
    isKeptByPostgres: true,
  },
  {
    name: "list_counts",
    key: ["list", "status"],
    columns: { int: "list n", text: "status" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  {
    name: "attribute_counts",
    key: ["workspace", "name", "type"],
    columns: { int: "workspace n", text: "name type" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  {
    name: "enrollment_counts",
    key: ["automation", "status"],
    columns: { int: "automation n", text: "status" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  {
    name: "webhook_counts",
    key: ["webhook", "state"],
    columns: { int: "webhook n", text: "state" },
    isSummed: true,
    isKeptByPostgres: true,
  },
  // Counts that the stores write.
  {
    name: "automation_nodes",
    key: ["automation", "node"],
    columns: { int: "automation entered completed failed removed", text: "node" },
    isSummed: true,
  },
  {
    name: "mailing_skips",
    key: ["mailing", "reason"],
    columns: { int: "mailing n", text: "reason" },
    isSummed: true,
  },
  {
    name: "mailing_reasons",
    key: ["mailing", "state", "reason"],
    columns: { int: "mailing n", text: "state reason" },
    isSummed: true,
  },
  {
    name: "activity_counts",
    key: ["workspace", "at"],
    columns: {
      int: "workspace at sent bounced opened clicked unsubscribed complained new_contacts events returned complained_elsewhere",
    },
    isSummed: true,
  },
  {
    name: "mailing_activity",
    key: ["mailing", "at"],
    columns: { int: "mailing at sent opened clicked bounced unsubscribed bounced_later" },
    isSummed: true,
  },
  {
    name: "domain_sends",
    key: ["workspace", "domain", "at"],
    columns: { int: "workspace at n", text: "domain" },
    isSummed: true,
  },
];
