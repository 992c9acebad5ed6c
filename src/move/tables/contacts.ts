import type { MovedTable } from "#move/table.ts";

/** Contacts, lists and consent. */
export const CONTACTS: readonly MovedTable[] = [
  {
    name: "contacts",
    key: ["seq"],
    columns: {
      int: "seq workspace created_at",
      text: "id email first_name last_name status search",
      texts: "tags",
    },
  },
  {
    name: "contact_attributes",
    key: ["contact"],
    columns: { int: "contact workspace", json: "attributes folded" },
  },
  {
    name: "lists",
    key: ["seq"],
    columns: {
      int: "seq workspace created_at",
      text: "id name search public_name description",
      flag: "is_public",
    },
  },
  {
    name: "list_members",
    key: ["contact", "list"],
    columns: { int: "list contact added_at", text: "status" },
    sqliteKey: ["list", "status", "contact"],
  },
  { name: "list_departures", key: ["seq"], columns: { int: "seq contact list joined_at left_at" } },
  {
    name: "segments",
    key: ["seq"],
    columns: { int: "seq workspace created_at updated_at", text: "id name rules" },
    isBig: true,
  },
  { name: "segment_uses", key: ["segment", "used"], columns: { int: "segment used" } },
  {
    name: "suppressions",
    key: ["seq"],
    columns: { int: "seq workspace created_at", text: "address reason source" },
  },
  { name: "blocked_domains", key: ["seq"], columns: { int: "seq workspace created_at", text: "domain" } },
  {
    name: "consent_log",
    key: ["seq"],
    columns: {
      int: "seq workspace at",
      text: "contact_id address action source form_id client_address user_agent reason list_id",
    },
  },
];
