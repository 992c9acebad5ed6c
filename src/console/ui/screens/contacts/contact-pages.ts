import { useInfiniteQuery } from "@tanstack/react-query";
import type { Contact } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { asSegmentRules, type Json } from "../../audience/rules/model.ts";
import { rulesWithSearch } from "./contact-filter.ts";

const ROWS_A_PAGE = 100;
/** How many pages are kept. Those further away are loaded again when somebody scrolls back. */
const PAGES_KEPT = 20;

/**
 * Where a page begins, and the page before it: so a page that was dropped can be loaded again. The pages carry it
 * themselves, because those of each filter stay for minutes, and are shown again when the filter comes back.
 * A class, because the cache compares plain objects to their depths.
 */
class Start {
  constructor(
    readonly index: number,
    /** Null only for the first page. */
    readonly after: string | null,
    readonly before: Start | null,
    /** How far somebody has scrolled: one for all pages, so that the list looks the same when they come back. */
    readonly place: { top: number },
  ) {}
}

const firstStart = (): Start => new Start(0, null, null, { top: 0 });

type Page = {
  readonly start: Start;
  readonly rows: readonly Contact[];
  readonly total: number;
  readonly next: string | null;
};

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
  const query = useInfiniteQuery({
    queryKey: ["contacts", "pages", q, rules, withAttributes, withOpened],
    initialPageParam: firstStart(),
    maxPages: PAGES_KEPT,
    queryFn: async ({ pageParam: start, signal }): Promise<Page> => {
      const asked = { q, rules, withAttributes, withOpened };
      const { data, pagination } = await pageOf(asked, start.after, signal);
      return { start, rows: data, total: pagination.total, next: pagination.nextCursor };
    },
    getNextPageParam: ({ start, next }) =>
      next === null ? null : new Start(start.index + 1, next, start, start.place),
    getPreviousPageParam: ({ start }) => start.before,
    // While a new column is loaded, the same people stay visible.
    placeholderData: (before, earlier) =>
      earlier?.queryKey[2] === q && earlier.queryKey[3] === rules ? before : undefined,
  });
  const pages = query.data?.pages ?? [];
  const start = pages[0]?.start;
  const first = (start?.index ?? 0) * ROWS_A_PAGE;
  const loaded = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    query,
    place: start?.place ?? null,
    total: pages.at(-1)?.total ?? 0,
    /** The number of the first row that is loaded, and of the first after them. */
    from: first,
    until: first + loaded,
    at: (row: number): Contact | undefined =>
      pages[Math.floor((row - first) / ROWS_A_PAGE)]?.rows[(row - first) % ROWS_A_PAGE],
  };
}

function includeOf({ withAttributes, withOpened }: Asked) {
  if (withAttributes)
    return { include: withOpened ? ("attributes,lastOpenedAt" as const) : ("attributes" as const) };
  return withOpened ? { include: "lastOpenedAt" as const } : {};
}

function pageOf(asked: Asked, after: string | null, signal: AbortSignal) {
  const { q, rules } = asked;
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
      body: { rules: asSegmentRules(rulesWithSearch(rules, q)) },
      signal,
    }),
  );
}
