import type { Instant } from "#core/time/clock.ts";
import type { ChoicePlan, FoundReader } from "./choice.ts";

/** What readers choose. Every method is one transaction; the rule it takes is pure and synchronous. */
export type PreferencesStore = {
  /** The contact that has this address now, and the public lists of the workspace. */
  find(workspaceId: string, address: string): Promise<FoundReader>;

  /**
   * Writes what `plan` returns: the name, the lists, and an entry of the consent log for each list. What is
   * still queued for this person in campaigns to a list that they leave is skipped (`OPTED_OUT`). Returns what
   * is found afterwards.
   */
  choose(
    workspaceId: string,
    address: string,
    plan: (found: FoundReader) => ChoicePlan | null,
    at: Instant,
  ): Promise<FoundReader>;
};
