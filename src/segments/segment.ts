import type { Instant } from "#core/time/clock.ts";
import type { JsonValue } from "#core/request/json-value.ts";

/** A saved question about contacts. `rules` are as they were sent; `rules-input.ts` reads them. */
export type Segment = {
  readonly id: string;
  readonly name: string;
  readonly rules: JsonValue;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** How many contacts a rule holds for. */
export type SegmentCount = { readonly total: number; readonly subscribed: number };
