import type { Instant } from "#core/time/clock.ts";
import type { Trigger } from "#core/trigger.ts";
import type { EnrollDecision, EnrollHistory, Entry } from "./enroll.ts";
import type { Facts, FactsNeeded } from "#automations/run/step/facts.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { LiquidSource } from "#automations/mail/mail-content.ts";
import type { OwedCall, RunRule } from "#automations/run/step/node-performance.ts";
import type { EndedHold } from "#workspaces/ended-hold.ts";
import type { CallEnding } from "./turn.ts";

/** A LIVE automation that has work to do at `dueAt`. */
export type DueAutomation = {
  readonly number: number;
  readonly id: string;
  readonly workspaceId: string;
  /** Increases with every change of the flow. */
  readonly flowVersion: number;
  readonly dueAt: Instant;
  /** Whether the work includes triggers. */
  readonly hasStarts: boolean;
};

/** Limits for one piece of work, so that nobody waits for it: it ends after its time, or after `rowsMax` rows. */
export type Slice = {
  readonly now: Instant;
  readonly rowsMax: number;
  /**
   * Call it when the work begins. Before that, the work may wait for other writes, and that time does not count.
   * The returned function says whether the time is over.
   */
  begin(): () => boolean;
};

/** The rules for a slice; pure and synchronous. */
export type AdmitRule = {
  /** Null if the flow no longer waits for that trigger. */
  entry(trigger: Trigger): Entry | null;
  enroll(entry: Entry, history: EnrollHistory, start: { readonly depth: number }): EnrollDecision;
  newId(): string;
  /** When to retry a start that threw; null means never. */
  retryAt(attempts: number, firstAt: Instant): Instant | null;
};

export type SliceResult = {
  /** The flow changed, or the automation is no longer LIVE: read it again. */
  readonly stale: boolean;
  readonly done: number;
  readonly mails: number;
  readonly calls: readonly OwedCall[];
  /** Errors of the service itself. Each run or start concerned was postponed or ended. */
  readonly crashes: readonly unknown[];
};

/** The facts about one contact for a whole flow. */
type WalkFacts = { readonly facts: Facts; readonly exists: boolean };

/** Whose runs have to look again. */
export type OwedHold = EndedHold & { readonly workspaceId: string };

/** What the loop needs from storage. What a step changes is in the transaction that moves its run. */
export type RunStore = {
  /** Calls the listener whenever this process has written triggers that automations wait for. */
  onStarts(listener: () => void): void;
  /** LIVE automations that have work due now. */
  due(now: Instant): Promise<DueAutomation[]>;
  nextDueAt(): Promise<Instant | null>;
  /**
   * For a clock that was set back: steps and triggers that it put off further than any pause are due now. Waits that
   * the author of a flow chose stay.
   */
  drawIn(now: Instant): Promise<void>;
  /** Of all workspaces; written by `WorkspaceStore.changeSettings`. */
  endedHolds(): Promise<OwedHold[]>;
  /**
   * Makes steps of a workspace due now that were put off until exactly `heldUntil`, at most `rowsMax`. Returns how many.
   * Waits that the author of a flow chose stay.
   */
  drawInHeld(workspaceId: string, heldUntil: Instant, now: Instant, rowsMax: number): Promise<number>;
  /** Nobody is held by it any more. If its hours were ended once more meanwhile, that stays. */
  forgetHold(hold: OwedHold): Promise<void>;
  flow(automation: number): Promise<Flow>;
  /**
   * Makes starts of triggers that more automations wait for than one write may start: of each trigger, one
   * for every automation that was LIVE when it came. Returns how many rows it wrote; 0 if none wait.
   */
  spread(slice: Slice): Promise<number>;
  /**
   * Handles triggers and lets contacts in, oldest first, one at a time. A trigger that stays (`decideEnroll`) is not
   * due until its contact's run is over or waits: that move makes the oldest of them due, in the same transaction.
   */
  admit(automation: DueAutomation, slice: Slice, rule: AdmitRule): Promise<SliceResult>;
  /**
   * Advances due runs, oldest first. What a node changes is kept or undone as a whole, together with its run's move. If
   * a node throws, only that node is undone: what its run did before, and the other runs, stand. With SQLite, the opt-out
   * of somebody on very many lists is written before its run moves: then the node finds them out, and changes nothing.
   */
  advance(
    automation: DueAutomation,
    slice: Slice & { readonly callsMax: number },
    rule: RunRule,
  ): Promise<SliceResult>;
  /** Writes the result of a call, if its run is still at the same step and its automation was not deleted. */
  settleCall(call: OwedCall, ending: CallEnding, now: Instant): Promise<void>;
  /** Deletes some of the rows that deleted automations left; false when none are left. */
  clearDeleted(rowsMax: number): Promise<boolean>;
  /** The values for the letter of a message; null if the contact is gone. */
  liquidSource(message: number): Promise<LiquidSource | null>;
  /** The facts in `needed` about the contact with this address; about `stranger` if there is no such contact. */
  walkFacts(
    workspaceId: string,
    automationId: string,
    email: string,
    needed: FactsNeeded,
    stranger: Facts["contact"],
  ): Promise<WalkFacts>;
};
