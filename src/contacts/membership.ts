import type { Instant } from "#core/time/clock.ts";

/** A list that a contact is on. */
export type Membership = {
  readonly id: string;
  readonly name: string;
  /** When the list was created. */
  readonly createdAt: Instant;
  readonly addedAt: Instant;
};
