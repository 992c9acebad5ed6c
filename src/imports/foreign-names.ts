/**
 * Names that other services use for the options and filters of imports, and what to do instead (see
 * `http/foreign-names.ts`).
 */
export const FOREIGN_OPTIONS = {
  lists: "they are called `listIds`",
  listId: "they are called `listIds`",
  list: "they are called `listIds`",
  mode: "it is called `existing`: `update` or `keep`",
  overwrite: "it is called `existing`: `update` or `keep`",
  updateExisting: "it is called `existing`: `update` or `keep`",
  updateEnabled: "it is called `existing`: `update` or `keep`",
  skipDuplicates: "it is called `existing`: `update` or `keep`",
  delim: "it is called `delimiter`",
  separator: "it is called `delimiter`",
  charset: "it is called `encoding`",
  fields: "it is called `mapping`",
  columns: "it is called `mapping`",
  fieldMapping: "it is called `mapping`",
  subscriptionStatus: "it is called `status`",
  triggerAutomations: "it is called `startAutomations`",
  tags: "each row has its own, in a column of the file",
} as const;

export const FOREIGN_FILTERS = {
  status: "imports have no filter by it: read `state`",
  state: "imports have no filter by it",
} as const;
