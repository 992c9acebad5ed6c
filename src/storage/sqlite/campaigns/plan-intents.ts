/**
 * Which plans go on after the end of the process: those with a file of their own in `plans/`, beside the database. It is written before
 * the plan begins, and taken away before anybody is told that the plan was refused or failed. To take a file away works on a full disk
 * and behind another process's lock, where no row could say it: so only a plan that the end of the process cut off goes on.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile, syncDirectoryOf } from "#storage/sqlite/files/durable-file.ts";

type PlanIntent = {
  /** The run that makes the plan; 0 where a person released one that was held. */
  readonly run: number;
  readonly overrideQuietHours: boolean;
};

type PlanIntents = {
  keep(campaignId: string, intent: PlanIntent): void;
  /** From now on the plan does not go on. On the disk when this returns. */
  revoke(campaignId: string): void;
  /** The plan is complete: nobody asks any more. */
  forget(campaignId: string): void;
  /** Null: the plan does not go on. */
  find(campaignId: string): PlanIntent | null;
};

export function planIntents(databasePath: string): PlanIntents {
  const directory = `${dirname(databasePath)}/plans`;
  const pathOf = (campaignId: string): string => `${directory}/${campaignId}.json`;
  return {
    keep(campaignId, intent) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      replaceFile(pathOf(campaignId), `${JSON.stringify(intent)}\n`);
    },

    revoke(campaignId) {
      if (readOrNull(pathOf(campaignId)) === null) return;
      rmSync(pathOf(campaignId));
      syncDirectoryOf(pathOf(campaignId));
    },

    forget(campaignId) {
      try {
        rmSync(pathOf(campaignId), { force: true });
      } catch {
        // It stays, and says nothing: its campaign is under way.
      }
    },

    find(campaignId) {
      const text = readOrNull(pathOf(campaignId));
      return text === null ? null : parsed(text);
    },
  };
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
}

/** Who wrote something else there has no say. */
function parsed(text: string): PlanIntent | null {
  try {
    const { run, overrideQuietHours } = JSON.parse(text) as PlanIntent;
    return { run, overrideQuietHours };
  } catch {
    return null;
  }
}
