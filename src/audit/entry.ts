import type { Instant } from "#core/time/clock.ts";

/** Who did what, when, and to what. */
export type AuditEntry = {
  readonly at: Instant;
  /** An address, `key <name>` or `command line`. */
  readonly who: string;
  readonly what: string;
  /** An id or an address; null where there is nothing to name. */
  readonly target: string | null;
};
