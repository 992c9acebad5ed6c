import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Settings, SettingsUpdate } from "./api.gen.ts";
import { api, ok } from "./client.ts";
import { sessionQuery } from "./session.ts";

const SETTINGS = ["settings"] as const;

/** All settings of the workspace. */
export const useSettings = () =>
  useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => ok(api.GET("/api/v1/settings", { signal })).then(({ data }) => data),
  });

/** Changes some of them, and what the checks of the workspace's mail say is asked anew. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsUpdate) =>
      ok(api.PATCH("/api/v1/settings", { body })).then(({ data }) => data),
    onSuccess: async (settings: Settings, changed) => {
      queries.setQueryData(SETTINGS, settings);
      // The rail shows what the workspace is called.
      if (changed.name !== undefined) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ["deliverability"] });
    },
  });
}

/** What is looked at while somebody corrects it: a check is made anew once a minute at most. */
const CHECKED_EVERY_MS = 20_000;

/** What the checks of the workspace's mail say, the worst first. */
export const useDeliverability = (isLive = false) =>
  useQuery({
    queryKey: ["deliverability"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/deliverability", { params: { query: { include: "record" } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: isLive ? CHECKED_EVERY_MS : false,
  });
