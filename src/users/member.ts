import type { Instant } from "#core/time/clock.ts";
import type { Role } from "./role.ts";

/** Somebody in one workspace. One person may be in several, with a role in each. */
export type Member = {
  /** The person's id, the same in every workspace. */
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Instant;
  /** When they last used any workspace; null before they have joined this one. */
  readonly lastSeenAt: Instant | null;
  /** Null: invited, but not joined yet. */
  readonly joinedAt: Instant | null;
};
