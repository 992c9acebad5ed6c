import {
  hashKey,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { useMemo } from "react";
import type { Contact } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { asSegmentRules, type Json } from "../../audience/rules/model.ts";
import { rulesOfTable } from "./search-rules.ts";

const ROWS_A_PAGE = 100;
/** How many pages are kept. Those further away are loaded again when somebody scrolls back. */
const PAGES_KEPT = 20;

/** A row of the table has this many pixels: in the stylesheet 3.25rem, because some browsers show all text larger. */
export const ROW_HEIGHT = 3.25 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * Where somebody is in the list of one filter, whatever its columns are, and where the pages begin that they
 * have seen: so one that was dropped can be loaded again without those before it.
 */
class Place {
  /** How far somebody has scrolled. */
  top = 0;
  /** After whom each page begins. */
  readonly after: (string | null)[] = [null];
  /** The number of rows down to the last one that was ever loaded. */
  rowsSeen = 0;

  take({ start, rows, next }: Page): void {
    const end = start.index * ROWS_A_PAGE + rows.length;
    this.rowsSeen = next === null ? end : Math.max(this.rowsSeen, end);
    this.after.length = next === null ? start.index + 1 : Math.max(this.after.length, start.index + 2);
    if (next !== null) this.after[start.index + 1] = next;
  }

  startOf(index: number): Start | null {
    const after = this.after[index];
    return after === undefined ? null : new Start(index, after, this);
  }
}

/**
 * Where a page begins. The pages carry it themselves, because those of each filter stay for minutes, and are
 * shown again when the filter comes back. A class, because the cache compares plain objects to their depths.
 */
class Start {
  constructor(
    readonly index: number,
    /** Null only for the first page. */
    readonly after: string | null,
    readonly place: Place,
  ) {}
}

type Page = {
  readonly start: Start;
  /** None while the page is awaited that somebody went to. */
  readonly rows: readonly Contact[];
  readonly total: number;
  readonly next: string | null;
};

type Pages = InfiniteData<Page, Start>;

type Asked = {
  readonly q: string;
  readonly rules: Json | null;
  /** Attributes take most of an answer: they are loaded only if a column shows one. */
  readonly withAttributes: boolean;
  /** Opens have to be looked up: only if their column is shown. */
  readonly withOpened: boolean;
};

/**
 * The contacts that fit, newest first, in pages that are loaded and dropped as somebody scrolls, so that memory
 * stays small. `at(i)` is the row with that number; undefined while its page is not loaded.
 */
export function useContactPages({ q, rules, withAttributes, withOpened }: Asked) {
  const queries = useQueryClient();
  const place = usePlace(q, rules);
  const queryKey = ["contacts", "pages", q, rules, withAttributes, withOpened];
  const query = useInfiniteQuery({
    queryKey,
    // With another column the list begins where somebody is.
    initialPageParam: place.startOf(pageNumber(place.top / ROW_HEIGHT)) ?? new Start(0, null, place),
    maxPages: PAGES_KEPT,
    queryFn: async ({ pageParam: start, signal }): Promise<Page> => {
      const asked = { q, rules, withAttributes, withOpened };
      const { data, pagination } = await pageOf(asked, start.after, signal);
      const page = { start, rows: data, total: pagination.total, next: pagination.nextCursor };
      start.place.take(page);
      return page;
    },
    getNextPageParam: ({ start, next }) =>
      next === null ? null : new Start(start.index + 1, next, start.place),
    getPreviousPageParam: ({ start }) => start.place.startOf(start.index - 1),
    // While a new column is loaded, the same people stay visible.
    placeholderData: (before, earlier) =>
      earlier?.queryKey[2] === q && earlier.queryKey[3] === rules ? before : undefined,
  });
  const pages = query.data?.pages ?? [];
  const first = (pages[0]?.start.index ?? 0) * ROWS_A_PAGE;
  const until = first + pages.reduce((sum, { rows }) => sum + rows.length, 0);
  const total = pages.at(-1)?.total ?? 0;
  const isAwaited = total > 0 && until === first;
  return {
    query,
    place,
    total,
    /** The number of the first row that is loaded, and of the first after them. */
    from: first,
    until,
    /** How many rows can be scrolled through: one is shown that waits. */
    count: Math.min(total, Math.max(until + (query.hasNextPage ? 1 : 0), place.rowsSeen)),
    at: (row: number): Contact | undefined =>
      pages[pageNumber(row - first)]?.rows[(row - first) % ROWS_A_PAGE],
    isAwaited,
    failed: failureOf(query, isAwaited),
    /** Whether this row is neither loaded nor on the page before or after those that are. */
    isFar: (row: number): boolean =>
      pageNumber(row - first) < -1 || pageNumber(row) > (pages.at(-1)?.start.index ?? 0) + 1,
    /** Drops what is loaded, and loads this row's page: those between would be waited for one by one. */
    goTo: (row: number): void => {
      const start = place.startOf(pageNumber(row));
      if (start === null) return;
      const awaited: Page = { start, rows: [], total, next: place.after[start.index + 1] ?? null };
      // As old as can be: whoever leaves meanwhile and comes back has it loaded.
      queries.setQueryData<Pages>(queryKey, { pages: [awaited], pageParams: [start] }, { updatedAt: 1 });
      void query.refetch();
    },
  };
}

/** Why rows that somebody scrolled to could not be loaded, and how to try it again; null if nothing failed. */
function failureOf(query: UseInfiniteQueryResult, isAwaited: boolean) {
  const { error, isFetchNextPageError, isFetchPreviousPageError, isRefetchError } = query;
  if (error === null || !(isFetchNextPageError || isFetchPreviousPageError || (isAwaited && isRefetchError)))
    return null;
  const again = isFetchNextPageError
    ? query.fetchNextPage
    : isFetchPreviousPageError
      ? query.fetchPreviousPage
      : query.refetch;
  return { error, again: () => void again() };
}

const pageNumber = (row: number): number => Math.floor(row / ROWS_A_PAGE);

/** The one place of a filter: that of what was loaded for it with any columns. */
function usePlace(q: string, rules: Json | null): Place {
  const queries = useQueryClient();
  return useMemo(() => {
    const key = ["contacts", "pages", q, rules];
    const filter = hashKey(key);
    const loaded = queries.getQueriesData<Pages>({
      // `queryKey` matches also what has more than it, inside rules too: a filter with one condition more.
      predicate: ({ queryKey }) => hashKey(queryKey.slice(0, key.length)) === filter,
    });
    return loaded.map(([, data]) => data?.pages[0]?.start.place).find((place) => place) ?? new Place();
  }, [queries, q, rules]);
}

function includeOf({ withAttributes, withOpened }: Asked) {
  if (withAttributes)
    return { include: withOpened ? ("attributes,lastOpenedAt" as const) : ("attributes" as const) };
  return withOpened ? { include: "lastOpenedAt" as const } : {};
}

function pageOf(asked: Asked, after: string | null, signal: AbortSignal) {
  const { q } = asked;
  const rules = rulesOfTable(asked.rules, q);
  const page = {
    limit: ROWS_A_PAGE,
    ...includeOf(asked),
    ...(after === null ? {} : { after }),
  };
  if (rules === null)
    return ok(
      api.GET("/api/v1/contacts", { params: { query: { ...page, ...(q === "" ? {} : { q }) } }, signal }),
    );
  return ok(
    api.POST("/api/v1/contacts/search", {
      params: { query: page },
      body: { rules: asSegmentRules(rules) },
      signal,
    }),
  );
}
