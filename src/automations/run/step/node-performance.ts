import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import { changedContact } from "./changed-contact.ts";
import type { Decision, DecisionInput, StepMail } from "./decision.ts";
import type { Facts, FactsNeeded } from "./facts.ts";
import { failedAt, passageOf, type Passage } from "#automations/run/node-tally.ts";
import { CAUSAL_DEPTH_MAX, causedDepth, moved, putOff, waits, type Run } from "#automations/run/run.ts";
import { triedSince } from "./retry.ts";
import type { Complete, ContactChange, Move, WebhookCall } from "./step-outcome.ts";

/**
 * A call that has not ended by then belonged to a server that was killed. It is made again, under the same
 * id.
 */
const CALL_LEASE_MS = 60_000;

/** The rules of a flow for its runs; synchronous. */
export type RunRule = {
  needs(nodeId: string): FactsNeeded | null;
  decide(input: DecisionInput): Decision;
  jitter(): number;
  /** When to retry a step that threw; null means the run has FAILED. */
  retryAt(crashes: number): Instant | null;
  /** When a run looks again that would call while enough calls are running. */
  callAgainAt(workspaceId: string, now: Instant): Instant;
};

/** What all runs of a turn share: the automation, the rules and the time. */
export type Around = {
  readonly automation: { readonly id: string; readonly workspaceId: string };
  readonly rule: RunRule;
  readonly now: Instant;
  /** True: others have waited long enough, so no further node is performed, except the first one of a turn. */
  isOver(): boolean;
};

/** A run before its next node. `contact` is null if it must be read again, because a step changed it. */
export type RunAtNode = { readonly run: Run; readonly contact: Contact | null };

/** What a node may look at. `usedIn`: messages counted in a month so far. */
export type NodeFacts = Pick<DecisionInput, "facts" | "usedIn">;

/** The new position of a run: it stands at a node and is due again `at`, or it has completed or failed. */
export type RunMove =
  | { readonly kind: "stand"; readonly run: Run; readonly at: Instant }
  | { readonly kind: "complete"; readonly run: Run }
  | { readonly kind: "fail"; readonly run: Run; readonly errorMessage: string };

/**
 * Something to write, in this order and in the transaction that moves the run. `change`: a step's change to the
 * contact that was read with the facts; what it starts has the `depth` (`causedDepth`). `mail`: a message for the
 * ledger, at most one per performance of a node.
 */
export type RunWrite =
  | RunMove
  | {
      readonly kind: "change";
      readonly effect: ContactChange;
      readonly contact: Contact;
      readonly depth: number;
    }
  | { readonly kind: "mail"; readonly mail: StepMail; readonly execution: number; readonly address: string };

/** A request that must be made before its run continues. This server must make it before the lease ends. */
export type OwedCall = {
  readonly enrollment: number;
  /** Shows whether the run is still at the same step. */
  readonly steps: number;
  readonly workspaceId: string;
  readonly call: WebhookCall;
  readonly next: Move | Complete;
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
};

/** The result of performing a node. */
export type Performed = {
  readonly writes: readonly RunWrite[];
  /** The run before its next node, which follows at once; not stored by `writes`. Null: the turn is over. */
  readonly next: RunAtNode | null;
  readonly call: OwedCall | null;
  /** Null: the run is still at the node. */
  readonly passage: Passage | null;
};

/** Performs the node where the run stands: decides what it does, and returns what is to be written. */
export function performNode(
  loaded: Run,
  { facts, usedIn }: NodeFacts,
  around: Around,
  mayCall: boolean,
): Performed {
  const { automation, rule, now } = around;
  const run = tried(loaded, now);
  if (run.depth > CAUSAL_DEPTH_MAX) return tooDeep(run);
  const decision = rule.decide({
    run: { automationId: automation.id, enrollmentId: run.id },
    state: run.state,
    facts,
    tries: run.tries,
    now,
    jitter: rule.jitter(),
    usedIn,
  });
  switch (decision.kind) {
    case "fail": {
      const { errorMessage } = decision;
      return { ...over({ kind: "fail", run, errorMessage }), passage: failedAt(run) };
    }
    case "later":
      return over({ kind: "stand", run: putOff(run, decision.problem, now), at: decision.at });
    case "waits":
      return over({ kind: "stand", run: waits(run, decision.problem), at: decision.at });
    case "needs":
      return owe(run, decision, around, mayCall);
    case "move":
    case "complete":
      return follow(run, facts, decision, now);
  }
}

/** The run with the time that counts for its tries. */
function tried(run: Run, now: Instant): Run {
  const { attempts, firstAttemptAt } = run.tries;
  return { ...run, tries: { attempts, firstAttemptAt: triedSince(firstAttemptAt, run.dueAt, now) } };
}

const over = (write: RunMove): Performed => ({ writes: [write], next: null, call: null, passage: null });

function tooDeep(run: Run): Performed {
  const errorMessage = `The step ${quoted(run.state.currentNodeId)} was not performed: ${run.depth} automations started each other before this one, without a wait. Put a wait into one of them.`;
  return { ...over({ kind: "fail", run, errorMessage }), passage: failedAt(run) };
}

/** The run waits for a call, which is made outside this code. */
function owe(
  run: Run,
  { call, next }: Extract<Decision, { kind: "needs" }>,
  { automation, rule, now }: Around,
  mayCall: boolean,
): Performed {
  if (!mayCall) return over({ kind: "stand", run, at: rule.callAgainAt(automation.workspaceId, now) });
  const { attempts, firstAttemptAt } = run.tries;
  const owed: OwedCall = {
    enrollment: run.seq,
    steps: run.state.steps,
    workspaceId: automation.workspaceId,
    call,
    next,
    attempts,
    firstAttemptAt: firstAttemptAt ?? now,
  };
  return { ...over({ kind: "stand", run, at: now + CALL_LEASE_MS }), call: owed };
}

function follow(
  run: Run,
  { contact }: Facts,
  outcome: Extract<Decision, { kind: "move" | "complete" }>,
  now: Instant,
): Performed {
  const writes: RunWrite[] = [];
  let after: Contact | null = contact;
  for (const effect of outcome.effects) {
    if (effect.kind === "sendEmail") continue;
    writes.push({ kind: "change", effect, contact, depth: causedDepth(run) });
    after &&= changedContact(after, effect);
  }
  const { mail } = outcome;
  if (mail !== null) writes.push({ kind: "mail", mail, execution: run.state.steps, address: contact.email });
  const passage = passageOf(run, outcome);
  if (outcome.kind === "move" && outcome.nextRunAt <= now)
    return { writes, next: { run: moved(run, outcome), contact: after }, call: null, passage };
  writes.push(afterwards(run, outcome));
  return { writes, next: null, call: null, passage };
}

/** The position of a run after its node is done. */
export const afterwards = (run: Run, outcome: Move | Complete): RunMove =>
  outcome.kind === "complete"
    ? { kind: "complete", run }
    : { kind: "stand", run: moved(run, outcome), at: outcome.nextRunAt };
