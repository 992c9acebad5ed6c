import type { Instant } from "#core/time/clock.ts";
import type { SuppressionReason } from "./reason.ts";
import type { DecisionSource } from "#core/decision-source.ts";

/** An address that is never mailed. `email` is in its stored form. */
export type Suppression = {
  readonly email: string;
  readonly reason: SuppressionReason;
  /** Where the reason came from; null for an entry from before that was kept. */
  readonly source: DecisionSource | null;
  /** When the entry was made, even if its reason changed later. */
  readonly createdAt: Instant;
};

/** A domain whose addresses are skipped when sending, in lower-case A-labels. */
export type BlockedDomain = { readonly domain: string; readonly createdAt: Instant };
