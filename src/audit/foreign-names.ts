/**
 * Names that other services use for the filters of an audit log, and what to do instead (see
 * `http/foreign-names.ts`).
 */
export const FOREIGN_AUDIT_FILTERS = {
  action: "it is called `what`",
  event: "it is called `what`",
  type: "it is called `what`",
  who: "the log is filtered by `what` only",
  actor: "the log is filtered by `what` only",
  user: "the log is filtered by `what` only",
} as const;
