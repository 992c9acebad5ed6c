import type { Instant } from "#core/clock.ts";

/** A named group of contacts that campaigns are sent to. `contactCount` counts members of every status. */
export type List = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly contactCount: number;
};
