import type { Instant } from "#core/time/clock.ts";

/** What people write of a list. */
export type ListContent = { readonly name: string };

/** A named group of contacts that campaigns are sent to. `contactCount` counts members of every status. */
export type List = ListContent & {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Instant;
  readonly contactCount: number;
};
