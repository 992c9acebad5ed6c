import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Check, Settings, SettingsUpdate } from "./api.gen.ts";
import { api, ok } from "./client.ts";
import { facts } from "../frame/page-facts.ts";
import { sessionQuery } from "./session.ts";

export const SETTINGS = ["settings"] as const;

const settingsQuery = queryOptions({
  queryKey: SETTINGS,
  queryFn: ({ signal }) => ok(api.GET("/api/v1/settings", { signal })).then(({ data }) => data),
});

/** All settings of the workspace. */
export const useSettings = () => useQuery(settingsQuery);

/** The workspace's time zone; UTC until it is known. */
export const useZone = (): string => useSettings().data?.timezone ?? "UTC";

/**
 * Whether the mail of this workspace is captured: the service has no relay, and the workspace has none of its own.
 * Undefined until it is known.
 */
export function useIsCaptured(): boolean | undefined {
  const { data } = useQuery({ ...settingsQuery, enabled: facts.hasMailbox });
  return facts.hasMailbox ? data && data.smtpUrl === "" : false;
}

type Told = { begin(): void; end(error: Error | null): void };

/**
 * Changes some of them, one change after the other, and loads the checks of the workspace's mail again.
 * @param told when a change begins and how it ends. Callbacks of `mutate` would hear only of the last one.
 */
export function useChangeSettings(told: Told) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: "settings" },
    onMutate: () => told.begin(),
    onSettled: (_, error) => told.end(error),
    // The page may go while it is being saved.
    mutationFn: (body: SettingsUpdate) =>
      ok(api.PATCH("/api/v1/settings", { body, keepalive: true })).then(({ data }) => data),
    async onSuccess(settings: Settings, changed) {
      // An answer that was asked for before would bring back what was stored then.
      await queries.cancelQueries({ queryKey: SETTINGS, exact: true });
      queries.setQueryData(SETTINGS, settings);
      // The rail shows the name of the workspace.
      if (changed.name !== undefined) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      // Not awaited: the server asks DNS and the relay, and the next change waits for the end of this one.
      void queries.invalidateQueries({ queryKey: ["deliverability"] });
    },
  });
}

/** For a person who corrects something and waits for the check. The server checks at most once a minute. */
const CHECKED_EVERY_MS = 20_000;
/** While the server still looks something up. */
const AWAITED_EVERY_MS = 2_000;

const isStillLooking = (checks: readonly Check[] | undefined): boolean =>
  checks?.some(({ text }) => text.endsWith("still being looked up")) ?? false;

/** What the checks of the workspace's mail say, the worst first. */
export const useDeliverability = (isLive = false) =>
  useQuery({
    queryKey: ["deliverability"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/deliverability", { params: { query: { include: "record" } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: ({ state }) =>
      isLive ? (isStillLooking(state.data) ? AWAITED_EVERY_MS : CHECKED_EVERY_MS) : false,
  });
