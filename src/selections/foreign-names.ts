/**
 * Names that other services use for choosing contacts, and what to do instead (see `http/foreign-names.ts`).
 */
const RULES = "send the conditions as `rules`";

export const FOREIGN_CHOICE = {
  ids: "they are called `contactIds`",
  contacts: "send their ids as `contactIds`",
  contactId: "it is called `contactIds`, an array",
  filter: RULES,
  filters: RULES,
  query: RULES,
  conditions: RULES,
  segmentId: "ask for the segment with a condition on `segment`",
} as const;

export const FOREIGN_ACTION = {
  ...FOREIGN_CHOICE,
  type: "it is called `action`",
  tags: "it is called `tag`, one at a time",
  list: "it is called `listId`",
  triggerAutomations: "it is called `startAutomations`",
} as const;
