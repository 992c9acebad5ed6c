import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Contact, SegmentRules } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import type { Json } from "../../audience/rules/model.ts";
import { rulesWithSearch } from "./contact-filter.ts";

const ROWS_A_PAGE = 100;
/** How many pages are kept. Those further away are loaded again when somebody scrolls back. */
const PAGES_KEPT = 20;

type Place = { readonly index: number; readonly after: string | null };
const FIRST: Place = { index: 0, after: null };
type Page = Place & {
  readonly rows: readonly Contact[];
  readonly total: number;
  readonly next: string | null;
};

/**
 * What is known about the latest filter: where each page begins, so that a page that was dropped can be loaded
 * again, and how far somebody had scrolled. So the list looks the same when they come back from a contact.
 */
const last = { about: "", starts: new Map<number, string | null>(), place: { top: 0 } };

function knownOf(about: string) {
  if (last.about !== about) Object.assign(last, { about, starts: new Map([[0, null]]), place: { top: 0 } });
  const { starts, place } = last;
  return { starts, place };
}

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
  const { starts, place } = useMemo(() => knownOf(JSON.stringify([q, rules])), [q, rules]);
  const query = useInfiniteQuery({
    queryKey: ["contacts", "pages", q, rules, withAttributes, withOpened],
    initialPageParam: FIRST,
    maxPages: PAGES_KEPT,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const { data, pagination } = await pageOf(
        { q, rules, withAttributes, withOpened },
        pageParam.after,
        signal,
      );
      starts.set(pageParam.index + 1, pagination.nextCursor);
      return { ...pageParam, rows: data, total: pagination.total, next: pagination.nextCursor };
    },
    getNextPageParam: ({ index, next }): Place | null =>
      next === null ? null : { index: index + 1, after: next },
    getPreviousPageParam: ({ index }): Place | null =>
      index === 0 ? null : { index: index - 1, after: starts.get(index - 1) ?? null },
    // While a new column is loaded, the same people stay visible.
    placeholderData: (before, earlier) =>
      earlier?.queryKey[2] === q && earlier.queryKey[3] === rules ? before : undefined,
  });
  const pages = query.data?.pages ?? [];
  const first = (pages[0]?.index ?? 0) * ROWS_A_PAGE;
  const loaded = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    query,
    place,
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
      body: { rules: rulesWithSearch(rules, q) as SegmentRules },
      signal,
    }),
  );
}
