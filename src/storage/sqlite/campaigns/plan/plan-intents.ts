/**
 * Which plans continue after the process has ended: those with a file in `plans/`, beside the database. The file is
 * written before the plan begins. It is removed before anybody gets the answer that the plan was refused or has
 * failed.
 *
 * It is a file and not a row, because a file can be removed even when the disk is full or another process has the
 * lock. So a plan that was given up never continues.
 */
import { errorCode } from "#core/errors/error-code.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  makePrivateDirectory,
  replaceFileInTurns,
  syncDirectoryOf,
} from "#storage/sqlite/files/durable-file.ts";

type PlanIntent = {
  /** The run that makes the plan; 0 if a person released a held one. */
  readonly run: number;
  readonly overrideQuietHours: boolean;
};

type PlanIntents = {
  /** Durable when it resolves. */
  keep(campaignId: string, intent: PlanIntent): Promise<void>;
  /** From now on the plan does not continue. Durable when this returns. */
  revoke(campaignId: string): void;
  /** The plan is complete, and its file is no longer needed. */
  forget(campaignId: string): void;
  /** Null: the plan does not continue. An error: its file is there, and cannot be read now. */
  find(campaignId: string): PlanIntent | Error | null;
};

/** One campaign may be begun twice at once, and released meanwhile. */
const inTurn = oneAfterAnother();

export function planIntents(databasePath: string): PlanIntents {
  const directory = `${dirname(databasePath)}/plans`;
  const pathOf = (campaignId: string): string => `${directory}/${campaignId}.json`;
  return {
    keep: (campaignId, intent) =>
      inTurn(async () => {
        makePrivateDirectory(directory);
        await replaceFileInTurns(pathOf(campaignId), `${JSON.stringify(intent)}\n`);
      }),

    revoke(campaignId) {
      if (readOrNull(pathOf(campaignId)) === null) return;
      rmSync(pathOf(campaignId));
      syncDirectoryOf(pathOf(campaignId));
    },

    forget(campaignId) {
      try {
        rmSync(pathOf(campaignId), { force: true });
      } catch {
        // The file stays. It does no harm, because its campaign is being sent.
      }
    },

    find(campaignId) {
      try {
        const text = readOrNull(pathOf(campaignId));
        return text === null ? null : parsed(text);
      } catch (error) {
        if (error instanceof Error) return error;
        throw error;
      }
    },
  };
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Anything else in the file counts as no intent. */
function parsed(text: string): PlanIntent | null {
  try {
    const { run, overrideQuietHours } = JSON.parse(text) as PlanIntent;
    return { run, overrideQuietHours };
  } catch {
    return null;
  }
}
