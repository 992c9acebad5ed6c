import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";
import type { Pagination } from "./api.gen.ts";

type PageOf<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** What a list route takes beside its filters. */
export type Place = { readonly query: { readonly after?: string }; readonly signal: AbortSignal };

/** How soon what changes by itself is asked for again. */
const LIVE_MS = 3_000;

/**
 * A list, page after page. `ask` asks for one of them.
 * @param changes whether something that is shown changes by itself; then it is asked for again and again
 */
export function usePages<Item>(
  key: QueryKey,
  ask: (place: Place) => Promise<PageOf<Item>>,
  changes: (item: Item) => boolean = () => false,
) {
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => ask({ query: pageParam === "" ? {} : { after: pageParam }, signal }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(changes)) ? LIVE_MS : false,
  });
  return { ...pages, items: pages.data?.pages.flatMap(({ data }) => data) };
}
