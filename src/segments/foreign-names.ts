/**
 * Names that other services use for the fields of segments, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const RULES = "send the conditions as `rules`";

export const FOREIGN_SEGMENT_FIELDS = {
  title: "it is called `name`",
  segmentName: "it is called `name`",
  label: "it is called `name`",
  conditions: RULES,
  filter: RULES,
  filters: RULES,
  query: RULES,
  options: RULES,
  match: "group the rules with `all` or `any`",
  matchType: "group the rules with `all` or `any`",
  listId: "ask for the list with a condition on `list`",
  contactIds: "a segment has whom its rules hold for; lists have those who were added",
  contacts: "a segment has whom its rules hold for; lists have those who were added",
} as const;

export const FOREIGN_PREVIEW_FIELDS = {
  conditions: RULES,
  filter: RULES,
  filters: RULES,
  query: RULES,
  segmentId: "ask `GET /segments/{id}/count`",
  id: "ask `GET /segments/{id}/count`",
} as const;
