import type { MovedTable } from "#move/table.ts";

const LATER = "completed_at attempts first_attempt_at";

/** Events, scores and automations. */
export const AUTOMATIONS: readonly MovedTable[] = [
  {
    name: "events",
    key: ["seq"],
    columns: {
      int: "seq workspace contact value_cents created_at",
      text: "id name currency external_id",
      json: "properties",
    },
  },
  {
    name: "scoring_rules",
    key: ["seq"],
    columns: { int: "seq workspace min_value_cents points created_at", text: "id event" },
  },
  {
    name: "automations",
    key: ["seq"],
    columns: { int: "seq workspace flow_version created_at updated_at", text: "id name status" },
  },
  {
    name: "automation_flows",
    key: ["automation"],
    columns: { int: "automation", text: "flow" },
    isBig: true,
  },
  {
    name: "automation_listeners",
    key: ["workspace", "kind", "detail", "automation"],
    columns: { int: "workspace automation since", text: "kind detail" },
  },
  {
    name: "automation_past_listeners",
    key: ["seq"],
    columns: { int: "seq workspace automation since until", text: "kind detail" },
  },
  {
    name: "automation_triggers",
    key: ["seq"],
    columns: { int: "seq workspace contact event depth created_at through", text: "kind detail" },
  },
  {
    name: "automation_starts",
    key: ["seq"],
    columns: {
      int: "seq automation contact event depth created_at next_try_at attempts",
      text: "kind detail problem",
    },
  },
  {
    name: "enrollments",
    key: ["seq"],
    columns: {
      int: `seq automation contact event depth steps steps_since_wait next_run_at enrolled_at ${LATER}`,
      text: "id status node error_message problem",
      flag: "waiting",
    },
  },
  { name: "automation_mailings", key: ["mailing"], columns: { int: "mailing automation", text: "node" } },
  {
    name: "automation_deliveries",
    key: ["delivery"],
    columns: { int: "delivery enrollment execution event" },
  },
];
