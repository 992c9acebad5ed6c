import type { Instant } from "#core/clock.ts";

/** A named group of contacts that campaigns are sent to. `contactCount` counts members whatever their status. */
export type List = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly contactCount: number;
};
