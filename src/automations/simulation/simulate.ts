import { isoOf } from "#core/time/iso.ts";
import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import { fillMail, liquidScope } from "#automations/mail/mail-content.ts";
import { nodeOf } from "#automations/flow/flow.ts";
import { applyEffect, effectSentence } from "./simulated-effect.ts";
import { newRun, type Complete, type Move, type RunState } from "#automations/run/step/step-outcome.ts";
import { decideStep, type Decision, type ReadyFlow } from "#automations/run/step/decision.ts";

/** How many days a simulation looks ahead by default, and at most. */
export const DAYS_DEFAULT = 365;
export const DAYS_MAX = 3650;

/** One performed node of a simulated run. */
export type SimulatedStep = {
  readonly at: Instant;
  readonly nodeId: string;
  readonly type: string;
  /** What happens, in words. */
  readonly says: string;
  /** The subject of the mail that would be sent; null if none would. */
  readonly subject: string | null;
};

export type Simulation = {
  readonly steps: readonly SimulatedStep[];
  /** The status at the end, or ACTIVE if the time was over first. */
  readonly status: "ACTIVE" | "COMPLETED" | "FAILED";
  readonly errorMessage: string | null;
};

export type SimulationInput = {
  readonly ready: ReadyFlow;
  readonly settings: Settings;
  readonly automationId: string;
  readonly entryNodeId: string;
  readonly facts: Facts;
  readonly startAt: Instant;
  readonly until: Instant;
  /** Whether each mail counts as opened as soon as it is sent. */
  readonly opens: boolean;
};

const TURNS_MAX = 10_000;

/**
 * Walks one contact through a flow on a virtual clock. It uses the engine's own rules, and writes and sends
 * nothing. It assumes that webhooks succeed, that mail is sent, that none is clicked, and that no further
 * events happen.
 */
export function simulate(input: SimulationInput): Simulation {
  const { ready, settings, until } = input;
  const steps: SimulatedStep[] = [];
  let { facts } = input;
  let at = input.startAt;
  let state: RunState = newRun(input.entryNodeId);
  /** The mail steps since the run waited last: their mails go out only after the steps that follow at once. */
  let planned: string[] = [];
  for (let turn = 0; turn < TURNS_MAX && at <= until; turn++) {
    const run = { automationId: input.automationId, enrollmentId: "simulated" };
    const tries = { attempts: 0, firstAttemptAt: null };
    const decision = decideStep(ready, settings, {
      run,
      state,
      facts,
      tries,
      now: at,
      jitter: 0.5,
      usedIn: () => 0,
    });
    const node = nodeOf(ready.flow, state.currentNodeId);
    const add = (says: string, subject: string | null = null) =>
      steps.push({ at, nodeId: state.currentNodeId, type: node?.type ?? "?", says, subject });
    if (decision.kind === "fail") {
      add(decision.errorMessage);
      return { steps, status: "FAILED", errorMessage: decision.errorMessage };
    }
    if (decision.kind === "later" || decision.kind === "waits") {
      if (decision.problem !== null) {
        add(`would be tried again: ${decision.problem}`);
        return { steps, status: "ACTIVE", errorMessage: decision.problem };
      }
      add(`waits for the end of the quiet hours`);
      at = decision.at;
      planned = [];
      continue;
    }
    const next = decision.kind === "needs" ? decision.next : decision;
    add(
      `${sentence(decision, state, node?.type ?? "")}${unsent(decision, planned)}`,
      subjectOf(decision, facts),
    );
    for (const effect of next.effects) facts = applyEffect(facts, effect, input.opens);
    if (decision.kind !== "needs" && decision.mail !== null) planned.push(state.currentNodeId);
    if (next.kind === "complete") return { steps, status: "COMPLETED", errorMessage: null };
    if (next.nextRunAt > at) planned = [];
    at = Math.max(at, next.nextRunAt);
    state = next.state;
  }
  return { steps, status: "ACTIVE", errorMessage: null };
}

type Performed = Exclude<Decision, { kind: "fail" | "later" | "waits" }>;

function sentence(decision: Performed, { waiting }: RunState, type: string): string {
  if (decision.kind === "needs") return `calls ${decision.call.url}`;
  if (type === "trigger") return "enters";
  if (type === "end") return "is done";
  if (type === "wait") return waiting ? "goes on" : startsWaiting(decision);
  if (type === "condition")
    return `goes ${decision.kind === "move" ? `to ${decision.state.currentNodeId}` : "nowhere: no edge leads on"}`;
  const [effect] = decision.effects;
  return effect === undefined ? "changes nothing" : effectSentence(effect);
}

/** What an opt-out means for mails that have not gone out by then. */
function unsent(decision: Performed, planned: readonly string[]): string {
  const optsOut = decision.kind !== "needs" && decision.effects.some(({ kind }) => kind === "unsubscribe");
  if (!optsOut || planned.length === 0) return "";
  const steps = planned.map(quoted).join(", ");
  return `, before the mail of ${steps} has gone out: it is not sent. A wait belongs between`;
}

const startsWaiting = (outcome: Move | Complete): string =>
  outcome.kind === "move" && outcome.state.waiting
    ? `waits until ${isoOf(outcome.nextRunAt)}`
    : "does not wait: the moment has passed";

function subjectOf(decision: Performed, facts: Facts): string | null {
  if (decision.kind === "needs" || decision.mail === null) return null;
  const filled = fillMail(decision.mail.letter.content, liquidScope(facts));
  return filled.ok ? filled.value.subject : null;
}
