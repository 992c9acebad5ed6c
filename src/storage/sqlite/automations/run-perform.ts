import type { Facts } from "#automations/run/facts.ts";
import { letterSource } from "#automations/mail/mail-plan.ts";
import type { DueAutomation, OwedCall, RunRule } from "#automations/run/store.ts";
import type { Decision, StepMail } from "#automations/run/decision.ts";
import type { Complete, Move } from "#automations/run/step-outcome.ts";
import type { Contact } from "#contacts/contact.ts";
import { effectWrites } from "./automation-effects.ts";
import { factsReader } from "./automation-facts.ts";
import { automationMail } from "./automation-mail.ts";
import { enrollmentMoves, moved, type RunRow } from "./enrollment-moves.ts";
import type { Passage } from "./node-counts.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";

/**
 * A call that has not ended by then belonged to a server that was killed. It is made again, under the same
 * id.
 */
const CALL_LEASE_MS = 60_000;
/** The pause when enough calls are running. */
const CALL_PAUSE_MS = 1_000;

/** One step of a run: whose it is, by what rule, and when. */
export type RunStep = {
  readonly automation: DueAutomation;
  readonly workspace: number;
  readonly row: RunRow;
  /** As they are now. */
  readonly contact: Contact;
  readonly rule: RunRule;
  readonly now: number;
  /** Whether one more call may be under way. */
  readonly mayCall: boolean;
};

/** What a step led to. */
export type Stepped = {
  /**
   * The run and its contact before the next node, not written yet: the next node follows at once. Null: the
   * turn is over, and everything is written.
   */
  readonly next: { readonly row: RunRow; readonly contact: Contact } | null;
  readonly mails: number;
  readonly call: OwedCall | null;
  /** Null: the run is still at the node. */
  readonly passage: Passage | null;
};
const STAYS: Stepped = { next: null, mails: 0, call: null, passage: null };

const whose = ({ workspace, automation, row }: RunStep) => ({
  workspace,
  automation: automation.number,
  contact: row.contact,
  event: row.event,
});

/** Performs one node of one run with all it changes, on an open transaction. */
export function runPerformer(database: SqliteDatabase) {
  const { sqlite } = database;
  const runs = enrollmentMoves(sqlite);
  const facts = factsReader(database);
  const { monthUsed } = automationMail(sqlite);
  const follow = following(database, runs, facts);

  return (step: RunStep): Stepped => {
    const { automation, workspace, row, rule, now } = step;
    const found = facts.about(whose(step), rule.needs(row.state.currentNodeId), step.contact);
    const decision = rule.decide({
      run: { automationId: automation.id, enrollmentId: row.id },
      state: row.state,
      facts: found,
      tries: row.tries,
      now,
      jitter: rule.jitter(),
      usedIn: (month) => monthUsed(workspace, month),
    });
    switch (decision.kind) {
      case "fail":
        runs.fail(row, decision.errorMessage, now);
        return { ...STAYS, passage: { left: row.state.currentNodeId, how: "failed", entered: null } };
      case "later":
        runs.later(row, decision, now);
        return STAYS;
      case "needs":
        return owe(runs, step, decision);
      case "move":
      case "complete":
        return follow(step, found, decision);
    }
  };
}

type Runs = ReturnType<typeof enrollmentMoves>;

/** The run waits for a call that somebody else makes. */
function owe(runs: Runs, step: RunStep, { call, next }: Extract<Decision, { kind: "needs" }>): Stepped {
  const { row, now, automation } = step;
  if (!step.mayCall) {
    runs.later(row, { at: now + CALL_PAUSE_MS, problem: null }, now);
    return STAYS;
  }
  runs.standUntil(row, now + CALL_LEASE_MS);
  const { attempts, firstAttemptAt } = row.tries;
  const owed = {
    enrollment: row.seq,
    steps: row.state.steps,
    workspaceId: automation.workspaceId,
    call,
    next,
  };
  return { ...STAYS, call: { ...owed, attempts, firstAttemptAt: firstAttemptAt ?? now } };
}

/** A wait that begins leaves the run where it is. */
export function passageOf({ state }: RunRow, outcome: Move | Complete): Passage | null {
  const left = state.currentNodeId;
  if (outcome.kind === "complete") return { left, how: "completed", entered: null };
  if (outcome.state.steps === state.steps) return null;
  return { left, how: "completed", entered: outcome.state.currentNodeId };
}

/** Writes what a node does, and moves the run on. */
function following(database: SqliteDatabase, runs: Runs, facts: ReturnType<typeof factsReader>) {
  const mail = automationMail(database.sqlite);
  const change = effectWrites(database.sqlite);

  const planMail = (step: RunStep, { contact }: Facts, { letter, month }: StepMail): void => {
    const { row, automation } = step;
    mail.plan({
      ...whose(step),
      node: letter.nodeId,
      enrollment: row.seq,
      execution: row.state.steps,
      address: contact.email,
      sourceId: letterSource(automation.id, letter, month),
      content: () => JSON.stringify(letter.content),
      month,
      at: step.now,
    });
  };

  return (
    step: RunStep,
    found: Facts,
    outcome: Extract<Decision, { kind: "move" | "complete" }>,
  ): Stepped => {
    const { row, now } = step;
    const changes = outcome.effects.filter((effect) => effect.kind !== "sendEmail");
    for (const effect of changes) change(effect, { ...whose(step), depth: row.depth }, found.contact, now);
    if (outcome.mail !== null) planMail(step, found, outcome.mail);
    const passage = passageOf(row, outcome);
    const done = { mails: outcome.mail === null ? 0 : 1, call: null, passage };
    if (outcome.kind === "complete" || outcome.nextRunAt > now) {
      runs.follow(row, outcome, now);
      return { next: null, ...done };
    }
    const contact =
      changes.length === 0
        ? step.contact
        : present(facts.contact(row.contact), "contact that was just changed");
    return { next: { row: moved(row, outcome), contact }, ...done };
  };
}
