import type { Page, PageRequest } from "#core/request/page.ts";
import type { StoredRule } from "./scoring-rule.ts";

/** Rules for lead scoring, and the scores they give. Every method is one transaction. */
export type ScoringStore = {
  /** Oldest first. */
  list(workspaceId: string): Promise<StoredRule[]>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<StoredRule>>;
  /** Null, and nothing written, if the workspace has `rulesMax` rules already. */
  add(workspaceId: string, rule: StoredRule, rulesMax: number): Promise<StoredRule | null>;
  /** False: the workspace has no such rule. */
  remove(workspaceId: string, id: string): Promise<boolean>;
  /** Calculated with the present rules; null if the workspace has no such contact. */
  score(workspaceId: string, contactId: string): Promise<number | null>;
};
