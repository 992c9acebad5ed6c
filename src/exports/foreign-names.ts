/**
 * Names that other services use for the filters of exports, and what to do instead (see
 * `http/foreign-names.ts`).
 */
export const FOREIGN_FILTERS = {
  list: "it is called `listId`",
  segment: "it is called `segmentId`",
  type: "it is called `format`",
  tags: "it is called `tag`, one at a time",
} as const;
