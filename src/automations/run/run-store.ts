import type { Instant } from "#core/clock.ts";
import type { Trigger } from "#core/trigger.ts";
import type { EnrollDecision, EnrollHistory, Entry } from "./enroll.ts";
import type { Facts, FactsNeeded } from "./facts.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { LiquidSource } from "#automations/mail/mail-content.ts";
import type { Complete, Move, WebhookCall } from "./step-outcome.ts";
import type { Decision, Turn } from "./turn.ts";

/** A LIVE automation that has something to do at `dueAt`. */
export type DueAutomation = {
  readonly number: number;
  readonly id: string;
  readonly workspaceId: string;
  /** Grows with every change of the flow. */
  readonly flowVersion: number;
  readonly dueAt: Instant;
  /** Whether triggers are among it. */
  readonly hasStarts: boolean;
};

/** A piece of work that keeps nobody waiting: it ends when `isOver` says so, and at `rowsMax`. */
export type Slice = {
  readonly now: Instant;
  readonly rowsMax: number;
  isOver(): boolean;
};

/** Rules a slice runs by; pure and synchronous. */
export type AdmitRule = {
  /** Null where the flow no longer waits for that. */
  entry(trigger: Trigger): Entry | null;
  enroll(entry: Entry, history: EnrollHistory, depth: number): EnrollDecision;
  newId(): string;
  /** When a start that threw is tried again; null: never. */
  retryAt(attempts: number, firstAt: Instant): Instant | null;
};

export type RunRule = {
  needs(nodeId: string): FactsNeeded | null;
  decide(turn: Turn): Decision;
  jitter(): number;
  /** When a step that threw is tried again; null: the run has FAILED. */
  retryAt(crashes: number): Instant | null;
};

/** A request that has to be made before its run goes on. It is this server's to make for as long as the lease lasts. */
export type OwedCall = {
  readonly enrollment: number;
  /** Tells whether the run still stands where it stood. */
  readonly steps: number;
  readonly workspaceId: string;
  readonly call: WebhookCall;
  readonly next: Move | Complete;
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
};

export type SliceResult = {
  /** The flow changed, or the automation is LIVE no longer: look again. */
  readonly stale: boolean;
  readonly done: number;
  readonly mails: number;
  readonly calls: readonly OwedCall[];
  /** What went wrong in the service itself; each has been put off or ended. */
  readonly crashes: readonly unknown[];
};

/** How a call ended. */
export type CallEnding =
  | { readonly kind: "done" }
  | { readonly kind: "fail"; readonly errorMessage: string }
  | { readonly kind: "later"; readonly at: Instant; readonly problem: string | null };

/** What is known of one contact for a whole flow. */
type WalkFacts = { readonly facts: Facts; readonly exists: boolean };

/** The engine's side of automations. Every method is one transaction. */
export type RunStore = {
  /** Calls the listener whenever this process has written triggers that automations wait for. */
  onStarts(listener: () => void): void;
  /** LIVE automations with something due now. */
  due(now: Instant): Promise<DueAutomation[]>;
  nextDueAt(): Promise<Instant | null>;
  flow(automation: number): Promise<Flow>;
  /** Takes triggers and lets contacts in, oldest first, each for itself. */
  admit(automation: DueAutomation, slice: Slice, rule: AdmitRule): Promise<SliceResult>;
  /** Gives due runs their turns, oldest first: each node performed is a savepoint of its own, with everything it changes. */
  advance(
    automation: DueAutomation,
    slice: Slice & { readonly callsMax: number },
    rule: RunRule,
  ): Promise<SliceResult>;
  /** Writes what a call came to, where its run still stands there. */
  settleCall(call: OwedCall, ending: CallEnding, now: Instant): Promise<void>;
  /** Clears a part of what deleted automations left; false when nothing is left. */
  clearDeleted(rowsMax: number): Promise<boolean>;
  /** What the letter of a message is filled in with; null where the contact is gone. */
  liquidSource(message: number): Promise<LiquidSource | null>;
  /** Everything `needed` about whoever has this address; `stranger` stands in where nobody has. */
  walkFacts(
    workspaceId: string,
    automationId: string,
    email: string,
    needed: FactsNeeded,
    stranger: Facts["contact"],
  ): Promise<WalkFacts>;
};
