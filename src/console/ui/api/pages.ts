import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";
import type { Pagination } from "./api.gen.ts";

type PageOf<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** What a list route takes beside its filters. */
export type Place = { readonly query: { readonly after?: string }; readonly signal: AbortSignal };

/** A list, page after page. `ask` asks for one of them. */
export function usePages<Item>(key: QueryKey, ask: (place: Place) => Promise<PageOf<Item>>) {
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => ask({ query: pageParam === "" ? {} : { after: pageParam }, signal }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });
  return { ...pages, items: pages.data?.pages.flatMap(({ data }) => data) };
}
