import type { KeyRow } from "#keys/store.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Revision } from "#core/revision.ts";
import type { EndedHold } from "./ended-hold.ts";
import type { SettingKey, Settings } from "#workspaces/settings/settings.ts";

export type Workspace = { readonly id: string; readonly createdAt: number };

/** `value` is in its written form. */
export type SettingHolder = { readonly workspaceId: string; readonly value: string };

/** Workspaces and their settings. Every method is one transaction. */
export type WorkspaceStore = {
  list(): Promise<Workspace[]>;
  /** Inserts a workspace with these settings and its first API key; all or nothing. */
  create(workspace: Workspace, settings: Partial<Settings>, key: KeyRow): Promise<void>;
  /**
   * Read at every use, so that a change from the command line takes effect at once.
   * @throws AppError NOT_FOUND
   */
  settings(workspaceId: string): Promise<Settings>;
  /** Every workspace in which this setting is written and not empty. */
  holders(key: SettingKey): Promise<SettingHolder[]>;
  /**
   * Writes what `plan` makes of the stored settings; nothing if it refuses. Returns its answer.
   * @param endedHold what the change ends of the quiet hours; kept until `RunStore.forgetHold`
   */
  changeSettings(
    workspaceId: string,
    plan: (stored: () => Settings) => Result<Partial<Settings>>,
    endedHold?: (stored: () => Settings, planned: Partial<Settings>) => EndedHold | null,
  ): Promise<Result<Partial<Settings>>>;
  /** Of changed settings, and of new workspaces. */
  readonly revision: Revision;
  /** Its cost does not depend on how much the workspace holds. */
  counts(workspaceId: string): Promise<WorkspaceCounts>;
};

/** How much is in a workspace. */
export type WorkspaceCounts = {
  readonly contacts: Readonly<Record<"PENDING" | "SUBSCRIBED" | "UNSUBSCRIBED" | "BOUNCED", number>>;
  readonly lists: number;
  readonly campaigns: number;
};
