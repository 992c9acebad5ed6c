import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { ScoringStore } from "./store.ts";
import type { ScoringRule, StoredRule } from "./scoring-rule.ts";

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
    /** Oldest first. */
    list: (workspaceId: string): Promise<StoredRule[]> => scoring.list(workspaceId),

    /** Newest first. */
    page: (workspaceId: string, request: PageRequest): Promise<Page<StoredRule>> =>
      scoring.page(workspaceId, request),

    /**
     * Takes effect at once, also for past events.
     * @throws AppError VALIDATION_ERROR if the workspace has as many rules as it may
     */
    async add(workspaceId: string, rule: ScoringRule): Promise<StoredRule> {
      const stored = { ...rule, id: newId("sr"), createdAt: clock.now() };
      const added = await scoring.add(workspaceId, stored, RULES_MAX);
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
