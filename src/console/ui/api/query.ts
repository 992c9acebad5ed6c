import { notifyManager, QueryClient, type UseQueryResult } from "@tanstack/react-query";
import { FileChanged } from "./chosen-file.ts";
import { ApiError } from "./client.ts";

/** How old an answer may be before a screen that shows it loads it again. */
const STALE_MS = 10_000;

/**
 * A refusal stays a refusal, and a changed file is changed. What did not arrive, or broke on the way, is tried twice
 * more.
 */
const isWorthAnother = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof FileChanged) && !(error instanceof ApiError && error.status < 500);

/**
 * Offline, a request fails at once and says so. By default it would wait, unseen, and be made when the
 * network is back: a letter would go out whose question was closed long ago.
 */
const networkMode = "always";

// By default a screen learns by a timer that something is under way. A second click may come before that, and would make
// a second list.
notifyManager.setScheduler(queueMicrotask);

export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: isWorthAnother, networkMode, refetchOnReconnect: true },
      mutations: { retry: false, networkMode },
    },
  });

/**
 * Why there is nothing to show, or null. What was loaded before stays on the screen if it could not be loaded
 * again: somebody may be typing there, or reading what is shown only once.
 */
export const loadErrorOf = ({ data, error }: Pick<UseQueryResult, "data" | "error">): Error | null =>
  data === undefined ? error : null;
