import type { Instant } from "#core/time/clock.ts";

/** What people write of a list. */
export type ListContent = { readonly name: string };

/** What PATCH /lists/{id} asks for. Undefined means "not sent". */
export type ListChange = { readonly [Field in keyof ListContent]: ListContent[Field] | undefined };

/** A named group of contacts that campaigns are sent to. `contactCount` counts members of every status. */
export type List = ListContent & {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Instant;
  readonly contactCount: number;
};
