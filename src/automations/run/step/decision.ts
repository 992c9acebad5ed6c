import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { factsNeeded, type Facts, type FactsNeeded } from "./facts.ts";
import { nodeOf, type Flow } from "#automations/flow/flow.ts";
import { liquidScope } from "#automations/mail/mail-content.ts";
import { mailGate, type NodeLetter } from "#automations/mail/mail-plan.ts";
import { readNode } from "#automations/flow/node.ts";
import { readyMail, type ReadyMail } from "#automations/mail/ready-mail.ts";
import { lookAgainAt, retryStepAt } from "./retry.ts";
import { step } from "./step.ts";
import type { Complete, Effect, Fail, Move, Needs, RunIdentity, RunState } from "./step-outcome.ts";

/** A flow that is ready to run. Its MJML is already compiled, since that takes too long for a step. */
export type ReadyFlow = {
  readonly flow: Flow;
  /** For mails written in MJML, by node: the HTML, or why there is none. */
  readonly compiled: ReadonlyMap<string, { readonly html: string } | { readonly problem: string }>;
  /** The mails that were due before, by node. Filled in here. */
  readonly mails: Map<string, ReadyMail>;
};

/** How often the current step was tried without success, and since when. */
export type TriesSoFar = { readonly attempts: number; readonly firstAttemptAt: Instant | null };

export type DecisionInput = {
  readonly run: RunIdentity;
  readonly state: RunState;
  readonly facts: Facts;
  readonly tries: TriesSoFar;
  readonly now: Instant;
  /** A fraction from 0 to 1 that spreads retries. */
  readonly jitter: number;
  /** Messages counted in a month so far. */
  usedIn(month: string): number;
};

/** The mail of a step, for the ledger. */
export type StepMail = { readonly letter: NodeLetter; readonly month: string };

/** What a run should do now. None of it has happened yet. */
export type Decision =
  | ((Move | Complete) & { readonly mail: StepMail | null })
  | Fail
  | Needs
  /**
   * The step is not performed now. With `problem` null nothing is wrong, and this does not count as a try.
   */
  | { readonly kind: "later"; readonly at: Instant; readonly problem: string | null }
  /** As above, for as long as it takes: the step's tries begin anew after this. */
  | { readonly kind: "waits"; readonly at: Instant; readonly problem: string };

/** The facts that the current node needs; null if the node cannot be read. */
export function stepNeeds({ flow }: ReadyFlow, nodeId: string): FactsNeeded | null {
  const node = nodeOf(flow, nodeId);
  const reading = node === null ? null : readNode(node);
  return reading?.ok === true ? factsNeeded(reading.value) : null;
}

/**
 * Calls `step`, and prepares what the ledger needs for a mail. The mail is filled in here once, so that a template
 * that fails also fails its run. A template that takes too long is not judged here, because everybody would wait
 * for it: its messages report their own errors later.
 */
export function decideStep(ready: ReadyFlow, settings: Settings, input: DecisionInput): Decision {
  const { run, state, facts, now } = input;
  const outcome = step({ flow: ready.flow, run, state, facts, now, zone: settings.timezone });
  if (outcome.kind === "fail" || outcome.kind === "needs") return outcome;
  const mail = outcome.effects.find((effect) => effect.kind === "sendEmail");
  return mail === undefined ? { ...outcome, mail: null } : decideMail(outcome, mail, ready, settings, input);
}

function decideMail(
  outcome: Move | Complete,
  mail: Extract<Effect, { kind: "sendEmail" }>,
  ready: ReadyFlow,
  settings: Settings,
  input: DecisionInput,
): Decision {
  const compiled = mail.body.kind === "html" ? { html: mail.body.source } : ready.compiled.get(mail.nodeId);
  if (compiled === undefined) return failed(mail.nodeId, "Its MJML was not compiled.");
  if ("problem" in compiled) return failed(mail.nodeId, compiled.problem);
  const known = ready.mails.get(mail.nodeId);
  const ours = known ?? readyMail(mail.nodeId, { subject: mail.subject, html: compiled.html });
  if (known === undefined) ready.mails.set(mail.nodeId, ours);
  const gate = mailGate(settings, input.now, input.usedIn);
  // The contact may change until then, so the values of now say nothing about the mail.
  if (gate.kind === "hold") return { kind: "later", at: gate.until, problem: null };
  if (gate.kind === "full") return { kind: "waits", at: lookAgainAt(input), problem: gate.problem };
  const problem = problemFilledIn(ours, input.facts);
  if (problem !== null) return failed(mail.nodeId, problem);
  if (gate.kind === "retry") return again(mail.nodeId, gate.problem, input.tries, input);
  return { ...outcome, mail: { letter: ours.letterUnder(settings), month: gate.month } };
}

function problemFilledIn(mail: ReadyMail, facts: Facts): string | null {
  try {
    const filled = mail.fill(liquidScope(facts), LITTLE);
    if (!filled.ok) return filled.refusal.message;
    return filled.value.subject === "" ? "The subject is empty once it is filled in." : null;
  } catch (error) {
    if (error instanceof NeedsThread) return null;
    throw error;
  }
}

/** A try without success: the step is due again after a growing pause, or the run has FAILED after a day. */
export function again(
  nodeId: string,
  problem: string,
  { attempts, firstAttemptAt }: TriesSoFar,
  { now, jitter }: { readonly now: Instant; readonly jitter: number },
): Decision {
  const at = retryStepAt({ attempts: attempts + 1, firstAttemptAt: firstAttemptAt ?? now, now, jitter });
  return at === null
    ? {
        kind: "fail",
        errorMessage: `The step ${quoted(nodeId)} was tried for a day in vain. The last reason: ${problem}`,
      }
    : { kind: "later", at, problem };
}

const failed = (nodeId: string, why: string): Fail => ({
  kind: "fail",
  errorMessage: `The step ${quoted(nodeId)} cannot run: ${why}`,
});
