import type { Instant } from "#core/time/clock.ts";

/** Tokens that a provider signs, each valid for one request of a workspace. */
export type HookTokenStore = {
  isUsed(workspaceId: string, token: string): Promise<boolean>;
  /** One transaction, durable when it resolves. Expired tokens are deleted. */
  use(workspaceId: string, token: string, expiresAt: Instant, now: Instant): Promise<void>;
};
