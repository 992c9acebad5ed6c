import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";
import type { Pagination } from "./api.gen.ts";

type PageOf<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** What a list route accepts besides its filters. */
export type Place = { readonly query: { readonly after?: string }; readonly signal: AbortSignal };

/** How many `firstThousand` loads at most. */
export const LOADED_MAX = 1_000;
const A_PAGE = 100;

/** All items of a list that is usually short; only the first thousand if there are more. */
export async function firstThousand<Item>(
  ask: (query: { limit: number; after?: string }) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | null = "";
  for (let page = 0; page < LOADED_MAX / A_PAGE && after !== null; page++) {
    const { data, pagination }: PageOf<Item> = await ask({
      limit: A_PAGE,
      ...(after === "" ? {} : { after }),
    });
    all.push(...data);
    after = pagination.nextCursor;
  }
  return all;
}

/** How often data that changes by itself is loaded again. */
const LIVE_MS = 3_000;

/**
 * A list, page after page. `ask` loads one page.
 * @param changes whether something that is shown changes by itself; then it is loaded again and again
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
