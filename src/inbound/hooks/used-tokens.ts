import type { Instant } from "#core/time/clock.ts";
import type { HookTokenStore } from "./store.ts";

/** A token that was taken for a request that is under way. */
type TakenToken = {
  /** The request was carried out: the token is never good again, also after a restart. */
  use(now: Instant): Promise<void>;
  /** The request is over. A token that was not used is free again: the provider sends it once more. */
  release(): void;
};

/**
 * Tokens that are good for one request. One is marked as used only after the effect of its request is
 * durable. A server that is killed in between takes the same request again, and nothing is changed twice.
 */
export function usedTokens(tokens: HookTokenStore) {
  const underWay = new Set<string>();
  return {
    /** Null: it was used before, or is being used. */
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
