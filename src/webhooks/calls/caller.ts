import type { Clock } from "#core/time/clock.ts";
import { webhookAttempts, type WebhookAnswer, type WebhookRequest } from "./attempt.ts";
import type { Resolve } from "./address-book.ts";

/** How many requests may be in progress at a time, for all workspaces together. */
const CALLS_MAX = 128;
/** A limit per workspace, so that one workspace's dead targets do not delay the calls of others. */
const CALLS_OF_WORKSPACE_MAX = 32;

/**
 * Makes the requests for webhooks and for the steps of automations: they share the connections, the rules for
 * targets and the number of requests in progress.
 */
export type WebhookCaller = {
  /** How many more requests a workspace may begin now. */
  free(workspaceId: string): number;
  /** Never rejects: a failure is an answer too. */
  call(workspaceId: string, request: WebhookRequest): Promise<WebhookAnswer>;
};

export function webhookCaller(clock: Clock, resolve: Resolve): WebhookCaller {
  const attempt = webhookAttempts(clock, resolve);
  const underWay = new Map<string, number>();
  let all = 0;
  const count = (workspaceId: string, n: 1 | -1): void => {
    all += n;
    const own = (underWay.get(workspaceId) ?? 0) + n;
    if (own === 0) underWay.delete(workspaceId);
    else underWay.set(workspaceId, own);
  };

  return {
    free: (workspaceId) =>
      Math.max(0, Math.min(CALLS_MAX - all, CALLS_OF_WORKSPACE_MAX - (underWay.get(workspaceId) ?? 0))),

    async call(workspaceId, request) {
      count(workspaceId, 1);
      try {
        return await attempt(request);
      } finally {
        count(workspaceId, -1);
      }
    },
  };
}
