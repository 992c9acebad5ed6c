import { TALLIED, type MovedTable } from "#move/table.ts";

const TIMES = "scheduled_at created_at started_at finished_at";
const MARKS =
  "opened_at clicked_at unsubscribed_at machine_opened_at machine_clicked_at suspected_at bounced_at complained_at";

/** Mailings and their messages. */
export const LEDGER: readonly MovedTable[] = [
  {
    name: "mailings",
    key: ["seq"],
    columns: {
      int: `seq workspace held list planned_through ${TIMES} ${TALLIED.join(" ")}`,
      text: "kind source_id phase reserved_day reserved_month",
      flag: "is_test",
    },
  },
  { name: "mailing_contents", key: ["mailing"], columns: { int: "mailing", text: "content" }, isBig: true },
  { name: "mailing_audiences", key: ["mailing"], columns: { int: "mailing", text: "audience" } },
  { name: "mailing_exclusions", key: ["mailing", "address"], columns: { int: "mailing", text: "address" } },
  { name: "mailing_links", key: ["mailing", "number"], columns: { int: "mailing number", text: "url" } },
  { name: "mailing_tags", key: ["mailing", "tag"], columns: { int: "mailing", text: "tag" } },
  {
    name: "deliveries",
    key: ["seq"],
    columns: {
      int: `seq mailing contact visit attempts first_attempt_at next_attempt_at reply_code settled_at ${MARKS}`,
      text: "address state reason reply_enhanced reply_text detail",
    },
  },
  { name: "delivery_links", key: ["delivery", "number"], columns: { int: "delivery number", text: "url" } },
  { name: "link_clicks", key: ["seq"], columns: { int: "seq mailing clicks recipients", text: "url" } },
  { name: "delivery_clicks", key: ["delivery", "link"], columns: { int: "delivery link" } },
  {
    name: "delivery_values",
    key: ["delivery"],
    columns: { int: "delivery contact at", text: "kept" },
    isBig: true,
  },
  {
    name: "address_strikes",
    key: ["workspace", "address", "kind"],
    columns: { int: "workspace count first_at last_at", text: "address kind" },
  },
  { name: "sending_usage", key: ["workspace", "period"], columns: { int: "workspace n", text: "period" } },
];
