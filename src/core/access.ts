import type { Refusal } from "./errors.ts";

/** What an API key opens: one workspace, and in it what the key's scope allows. */
export type Access = {
  readonly workspaceId: string;
  /** Why it may not ask this route; null if it may. `path` is what follows `/api/v1`. */
  refusal(method: string, path: string): Refusal | null;
};
