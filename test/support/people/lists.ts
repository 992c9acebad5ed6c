import type { Instant } from "#core/time/clock.ts";
import type { ListContent } from "#lists/list.ts";

type NewList = ListContent & { readonly id: string; readonly createdAt: Instant };

/** A list as a store is given it. It is called what its id is, unless the test says so. */
export const newList = (id: string, content: Partial<ListContent> = {}): NewList => ({
  name: id,
  ...content,
  id,
  createdAt: 1,
});
