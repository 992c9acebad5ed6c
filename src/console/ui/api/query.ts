import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/** How old an answer may be before a screen that shows it loads it again. */
const STALE_MS = 10_000;

/** A refusal stays a refusal. What did not arrive, or broke on the way, is tried twice more. */
const isWorthAnother = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: isWorthAnother },
      mutations: { retry: false },
    },
  });
