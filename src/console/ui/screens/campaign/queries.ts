import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";
import { useMoreLists } from "../../audience/more-lists.ts";
import type { Draft } from "./draft/draft-fields.ts";

const LIVE_MS = 1_000;

/** @param isLive whether it goes out now: then it is loaded again every second */
export const useCampaign = (id: string, isLive = false) =>
  useQuery({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
    refetchInterval: isLive ? LIVE_MS : false,
  });

/**
 * All lists; of more than a thousand the newest, those that a campaign names, and those that a text finds.
 * @param named the campaign's own and those that are left out
 */
export function useLists(named: Named, typed = "") {
  const { data, ...query } = useQuery({
    queryKey: ["lists", "all"],
    queryFn: ({ signal }) =>
      firstThousand((page) => ok(api.GET("/api/v1/lists", { params: { query: page }, signal }))),
  });
  const more = useMoreLists(data, { chosen: [named.listId ?? "", ...named.excludeListIds], typed });
  return { ...query, data: data && [...data, ...more] };
}

type Named = Pick<Draft, "listId" | "excludeListIds">;

export const useSegments = () =>
  useQuery({
    queryKey: ["segments", "all"],
    queryFn: ({ signal }) =>
      firstThousand((query) => ok(api.GET("/api/v1/segments", { params: { query }, signal }))),
  });

type Written = { readonly saves: number; readonly isUnsaved: boolean };

/**
 * What a send would do now.
 * @param audience who gets it: a count for another audience is not shown
 * @param written loaded again after each save and not before: the server counts what is saved
 */
export const useCheck = (id: string, audience: string, { saves, isUnsaved }: Written) =>
  useQuery({
    queryKey: ["campaign", id, "check", audience, saves],
    enabled: !isUnsaved,
    queryFn: ({ signal }) =>
      ok(api.POST("/api/v1/campaigns/{id}/check", { params: { path: { id } }, signal })).then(
        ({ data }) => data,
      ),
    placeholderData: (before, asked) => (asked?.queryKey[3] === audience ? before : undefined),
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
