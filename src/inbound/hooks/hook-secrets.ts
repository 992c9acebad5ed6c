import { createHash } from "node:crypto";
import type { WorkspaceService } from "#workspaces/service.ts";

/** Finds the workspace of a hook's secret. */
export type HookSecrets = { workspaceOf(secret: string): Promise<string | null> };

/**
 * Finds secrets by their hash, so that the response time does not show how close a wrong secret is. All are read
 * again only after settings may have changed.
 */
export function hookSecrets(workspaces: Pick<WorkspaceService, "holders" | "revision">): HookSecrets {
  let readAt: number | null = null;
  let known = new Map<string, string>();
  return {
    async workspaceOf(secret) {
      const revision = workspaces.revision();
      if (revision !== readAt) {
        const holders = await workspaces.holders("hookSecret");
        known = new Map(holders.map(({ workspaceId, value }) => [hashOf(value), workspaceId]));
        readAt = revision;
      }
      return known.get(hashOf(secret)) ?? null;
    },
  };
}

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64");
