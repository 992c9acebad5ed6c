/** Names that other services use for fields and filters of automations (see `http/foreign-names.ts`). */
const FLOW = "the flow is `flowJson`, and goes with `PATCH /automations/{id}`";
const STATUS = "send `status` (LIVE or PAUSED) with `PATCH /automations/{id}`";

export const FOREIGN_AUTOMATION_FIELDS = {
  title: "it is called `name`",
  flow: FLOW,
  workflow: FLOW,
  definition: FLOW,
  nodes: FLOW,
  edges: FLOW,
  steps: FLOW,
  emails: FLOW,
  actions: FLOW,
  trigger: FLOW,
  triggers: FLOW,
  triggerType: FLOW,
  conditions: FLOW,
  active: STATUS,
  isActive: STATUS,
  enabled: STATUS,
  state: STATUS,
  published: STATUS,
  publish: STATUS,
  start: STATUS,
  pause: STATUS,
  listId: "the trigger decides who enters; conditions can ask for a list",
} as const;

export const FOREIGN_SIMULATION_FIELDS = {
  contactId: "use `email`, the contact's address",
  contact: "use `email`, the contact's address",
  event: "the event's name is `eventName`",
  at: "it is called `startAt`",
  date: "it is called `startAt`",
  flowJson: "save the flow first, with `PATCH /automations/{id}`",
} as const;

export const FOREIGN_MAIL_PREVIEW_FIELDS = {
  node: "it is called `nodeId`",
  step: "it is called `nodeId`",
  stepId: "it is called `nodeId`",
  contact: "it is called `contactId`",
  email: "name the person by `contactId`",
  subject: "it stands in `data`, as in `flowJson`",
  html: "it stands in `data`, as in `flowJson`",
  mjml: "it stands in `data`, as in `flowJson`",
  flowJson: "send the node's `data` alone, or save the flow with `PATCH /automations/{id}`",
} as const;

export const FOREIGN_AUTOMATION_FILTERS = {
  name: "automations have no filter but `status`",
  state: "it is called `status`",
  active: "use `status`",
  enabled: "use `status`",
} as const;

export const FOREIGN_ENROLLMENT_FILTERS = {
  state: "it is called `status`",
  contactId: "use `email`, the contact's address",
  contact: "use `email`, the contact's address",
  nodeId: "enrollments have no filters but `status` and `email`",
} as const;
