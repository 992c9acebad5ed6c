import type { Instant } from "#core/clock.ts";
import type { ScoringRule } from "./scoring.ts";

export type StoredRule = ScoringRule & { readonly id: string };

/** Rules of lead scoring, and the scores they give. Every method is one transaction. */
export type ScoringStore = {
  /** Oldest first. */
  list(workspaceId: string): Promise<StoredRule[]>;
  /** Null, and nothing written, where the workspace has `rulesMax` already. */
  add(workspaceId: string, rule: StoredRule, at: Instant, rulesMax: number): Promise<StoredRule | null>;
  /** False: the workspace has no such rule. */
  remove(workspaceId: string, id: string): Promise<boolean>;
  /** Under the rules of this moment; null where the workspace has no such contact. */
  score(workspaceId: string, contactId: string): Promise<number | null>;
};
