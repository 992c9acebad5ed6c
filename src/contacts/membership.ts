import type { Instant } from "#core/clock.ts";

/** A list a contact is on. */
export type Membership = {
  readonly id: string;
  readonly name: string;
  /** The list's own. */
  readonly createdAt: Instant;
  readonly addedAt: Instant;
};
