import { newWebhookSecret } from "#core/webhook-secret.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { KeyService } from "#keys/service.ts";
import type { Random } from "#core/random.ts";
import { planSettingsChange } from "#workspaces/settings/settings-change.ts";
import type { SettingKey, Settings } from "#workspaces/settings/settings.ts";
import type { EndedHold } from "./ended-hold.ts";
import { heldWronglyUntil } from "./quiet-hours.ts";
import type { SettingHolder, Workspace, WorkspaceCounts, WorkspaceStore } from "./store.ts";

export type WorkspaceService = ReturnType<typeof workspaceService>;

export function workspaceService(parts: {
  workspaces: WorkspaceStore;
  keys: KeyService;
  clock: Clock;
  random: Random;
  newId: NewId;
}) {
  const { workspaces, keys, clock, random, newId } = parts;

  const endedHold = (stored: () => Settings, planned: Partial<Settings>): EndedHold | null => {
    if (planned.quietHours === undefined && planned.timezone === undefined) return null;
    const before = readable(stored);
    const endedAt = clock.now();
    const heldUntil = before && heldWronglyUntil(before, { ...before, ...planned }, endedAt);
    return heldUntil === null ? null : { heldUntil, endedAt };
  };

  return {
    list: (): Promise<Workspace[]> => workspaces.list(),

    /** Creates a workspace with its secrets and a first API key. The key is shown only this once. */
    async create(name: string): Promise<{ id: string; key: string }> {
      const { row, key } = keys.mint("First key", "full");
      const id = newId("ws");
      const webhookSecret = newWebhookSecret(random);
      const hookSecret = Buffer.from(random.bytes(24)).toString("hex");
      await workspaces.create({ id, createdAt: clock.now() }, { name, webhookSecret, hookSecret }, row);
      return { id, key };
    },

    /**
     * The workspace that `--workspace` names. It may be left out if there is only one.
     * @throws AppError
     */
    async pick(id: string | undefined): Promise<string> {
      const all = await workspaces.list();
      const [first, ...others] = all;
      if (id === undefined && first !== undefined && others.length === 0) return first.id;
      const found = all.find((workspace) => workspace.id === id);
      if (found) return found.id;
      if (id !== undefined)
        throw new AppError("NOT_FOUND", `there is no workspace ${id}: see \`postrider workspace list\``);
      if (first === undefined)
        throw new AppError(
          "NOT_FOUND",
          "there is no workspace yet: make one with `postrider workspace create --name NAME`",
        );
      throw new AppError(
        "VALIDATION_ERROR",
        `there are ${all.length} workspaces: pick one with --workspace ID (see \`postrider workspace list\`)`,
      );
    },

    /** See `WorkspaceStore.revision`. */
    revision: workspaces.revision,

    settings: (workspaceId: string): Promise<Settings> => workspaces.settings(workspaceId),

    /** See `WorkspaceStore.holders`. */
    holders: (key: SettingKey): Promise<SettingHolder[]> => workspaces.holders(key),

    /**
     * All of the change, or nothing. What other quiet hours have held is looked at again soon after it.
     * @throws AppError VALIDATION_ERROR for what `planSettingsChange` refuses
     */
    async changeSettings(workspaceId: string, change: Partial<Settings>): Promise<void> {
      const plan = (stored: () => Settings) => planSettingsChange(stored, change);
      unwrap(await workspaces.changeSettings(workspaceId, plan, endedHold));
    },

    counts: (workspaceId: string): Promise<WorkspaceCounts> => workspaces.counts(workspaceId),
  };
}

/** Null: they cannot be read, and the change may mend them. Nothing was held under them, because nothing went on. */
function readable(stored: () => Settings): Settings | null {
  try {
    return stored();
  } catch {
    return null;
  }
}
