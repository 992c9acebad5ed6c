import type { Instant } from "#core/clock.ts";
import type { Role } from "./role.ts";

/** Somebody in one workspace. One person may be in several, with a role in each. */
export type Member = {
  /** The person's id, the same in every workspace. */
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Instant;
  /** When they used any workspace last. */
  readonly lastSeenAt: Instant | null;
  /** Null: invited, and not here yet. */
  readonly joinedAt: Instant | null;
};
