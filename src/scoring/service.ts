import type { Clock } from "#core/clock.ts";
import { AppError, notFound } from "#core/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { ScoringRule } from "./scoring.ts";
import type { ScoringStore, StoredRule } from "./store.ts";

/** A limit, because every score has to check every rule. */
const RULES_MAX = 200;

export type ScoringService = ReturnType<typeof scoringService>;

export function scoringService({
  scoring,
  clock,
  newId,
}: {
  scoring: ScoringStore;
  clock: Clock;
  newId: NewId;
}) {
  return {
    list: (workspaceId: string): Promise<StoredRule[]> => scoring.list(workspaceId),

    /** Takes effect at once, also for past events. */
    async add(workspaceId: string, rule: ScoringRule): Promise<StoredRule> {
      const added = await scoring.add(workspaceId, { ...rule, id: newId("sr") }, clock.now(), RULES_MAX);
      if (added !== null) return added;
      throw new AppError(
        "VALIDATION_ERROR",
        `a workspace has at most ${RULES_MAX} scoring rules: remove one first`,
      );
    },

    remove: (workspaceId: string, id: string): Promise<boolean> => scoring.remove(workspaceId, id),

    /** @throws AppError NOT_FOUND for a contact the workspace does not have */
    async score(workspaceId: string, contactId: string): Promise<number> {
      const score = await scoring.score(workspaceId, contactId);
      if (score === null) throw notFound(`The contact ${contactId}`);
      return score;
    },
  };
}
