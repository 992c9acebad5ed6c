import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";

const PAGES_MAX = 10;

type Page<T> = { readonly data: readonly T[]; readonly pagination: { readonly nextCursor: string | null } };

/** All of something there is little of, up to a thousand. */
async function allOf<T>(page: (query: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = "";
  for (let pages = 0; pages < PAGES_MAX && cursor !== null; pages++) {
    const next: Page<T> = await page({ limit: 100, ...(cursor === "" ? {} : { cursor }) });
    all.push(...next.data);
    cursor = next.pagination.nextCursor;
  }
  return all;
}

export const useLists = () =>
  useQuery({
    queryKey: ["lists", "all"],
    queryFn: ({ signal }) => allOf((query) => ok(api.GET("/api/v1/lists", { params: { query }, signal }))),
  });

export const useSegments = () =>
  useQuery({
    queryKey: ["segments", "all"],
    queryFn: ({ signal }) => allOf((query) => ok(api.GET("/api/v1/segments", { params: { query }, signal }))),
  });

/** What a send would do now. @param saves asked again after each save */
export const useCheck = (id: string, saves: number) =>
  useQuery({
    queryKey: ["campaign", id, "check", saves],
    queryFn: ({ signal }) =>
      ok(api.POST("/api/v1/campaigns/{id}/check", { params: { path: { id } }, signal })).then(
        ({ data }) => data,
      ),
    placeholderData: (before) => before,
  });

/** The letter as this contact (null: an example person) would get it, and what is wrong with it. */
export const usePreview = (id: string, contactId: string | null, saves: number) =>
  useQuery({
    queryKey: ["campaign", id, "preview", contactId, saves],
    queryFn: ({ signal }) =>
      ok(
        api.POST("/api/v1/campaigns/{id}/preview", {
          params: { path: { id } },
          body: contactId === null ? {} : { contactId },
          signal,
        }),
      ).then(({ data }) => data),
    placeholderData: (before) => before,
  });
