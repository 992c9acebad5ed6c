import { DAY_MS } from "#core/time/time.ts";

/** How long entries of the audit log are kept. */
export const AUDIT_KEPT_MS = 365 * DAY_MS;

/** The log, for `oldBeforeSql`. */
export const AUDIT_MADE = { table: "audit", at: "at" } as const;
