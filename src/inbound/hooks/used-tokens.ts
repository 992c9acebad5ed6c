import type { Instant } from "#core/time/clock.ts";
import type { HookTokenStore } from "./store.ts";

/** A token that is reserved for a request in progress. */
type TakenToken = {
  /** The request was carried out: the token is never valid again, even after a restart. */
  use(now: Instant): Promise<void>;
  /** The request is over. A token that was not used is free again, because the provider sends it once more. */
  release(): void;
};

/**
 * Tokens that are valid for one request. A token is marked as used only after the effect of its request is durable.
 * If the server is killed in between, it takes the same request again, and nothing changes twice.
 */
export function usedTokens(tokens: HookTokenStore) {
  const underWay = new Set<string>();
  return {
    /** Null: the token was used before, or is being used. */
    async take(
      workspaceId: string,
      { token, expiresAt }: { readonly token: string; readonly expiresAt: Instant },
    ): Promise<TakenToken | null> {
      const key = `${workspaceId} ${token}`;
      if (underWay.has(key)) return null;
      underWay.add(key);
      const release = (): void => void underWay.delete(key);
      const isUsed = await tokens.isUsed(workspaceId, token).catch((error: unknown) => {
        release();
        throw error;
      });
      if (isUsed) {
        release();
        return null;
      }
      return { use: (now) => tokens.use(workspaceId, token, expiresAt, now), release };
    },
  };
}
