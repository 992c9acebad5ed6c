import type { Refusal } from "#core/errors/errors.ts";

/**
 * What a request has access to: one workspace, and in it what the key's scope or the person's role allows.
 */
export type Access = {
  readonly workspaceId: string;
  /** Who asks, for the audit log: a person's address, or `key <name>`. */
  readonly who: string;
  /** Why it may not call this route; null if it may. `path` is what follows `/api/v1`. */
  refusal(method: string, path: string): Refusal | null;
};

/** A person whose cookie is valid. */
export type SignedIn = {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  /** Null: the person has no access to the workspace. */
  accessTo(workspaceId: string): Access | null;
};
