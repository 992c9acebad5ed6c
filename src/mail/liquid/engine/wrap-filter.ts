import type { Liquid } from "liquidjs";
import { present } from "#core/present.ts";

type Filter = Liquid["filters"][string];
/** liquidjs calls it with the context of the rendering in `this`. */
export type FilterHandler = Extract<Filter, (...given: never[]) => unknown>;

/**
 * Puts something around a filter of liquidjs.
 * @throws Error if liquidjs has no such filter: then it has another name now, and would go on without what is around it
 */
export function wrapFilter(
  liquid: Liquid,
  name: string,
  wrap: (handler: FilterHandler) => FilterHandler,
): void {
  const filter: Filter = present(liquid.filters[name], `filter ${name} of liquidjs`);
  const { handler, raw } = typeof filter === "function" ? { handler: filter, raw: false } : filter;
  liquid.registerFilter(name, { raw, handler: wrap(handler) });
}

/** The same for each filter whose name fits. */
export function wrapFilters(
  liquid: Liquid,
  names: RegExp,
  wrap: (handler: FilterHandler, name: string) => FilterHandler,
): void {
  for (const name of Object.keys(liquid.filters))
    if (names.test(name)) wrapFilter(liquid, name, (handler) => wrap(handler, name));
}
