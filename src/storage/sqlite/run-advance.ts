import type { Database } from "bun:sqlite";
import { letterSource } from "#automations/mail-plan.ts";
import type { DueAutomation, OwedCall, RunRule, Slice } from "#automations/run-store.ts";
import type { Complete, Move } from "#automations/step-outcome.ts";
import type { StepMail } from "#automations/turn.ts";
import { quoted } from "#core/text.ts";
import { effectWrites } from "./automation-effects.ts";
import { factsReader } from "./automation-facts.ts";
import { automationMail } from "./automation-mail.ts";
import { enrollmentMoves, type RunRow } from "./enrollment-moves.ts";
import { savepoints } from "./savepoint.ts";

/** So many nodes of one run are performed before the next run has its turn. */
const NODES_A_TURN = 25;
/** A call that has not ended by then belongs to a server that was killed: it is made again, under the same id. */
const CALL_LEASE_MS = 60_000;
/** There are calls enough under way. */
const CALL_PAUSE_MS = 1_000;

/** What one node's turn led to. */
type Turned = { readonly goesOn: boolean; readonly mails: number; readonly call: OwedCall | null };
const ENDED: Turned = { goesOn: false, mails: 0, call: null };

/** Gives the due runs of an automation their turns, on an open transaction: each node with all it changes is one savepoint. */
export function advanceRuns(sqlite: Database) {
  const runs = enrollmentMoves(sqlite);
  const facts = factsReader(sqlite);
  const mail = automationMail(sqlite);
  const change = effectWrites(sqlite);
  const attempt = savepoints(sqlite, "turn");

  const perform = (
    automation: DueAutomation,
    workspace: number,
    row: RunRow,
    rule: RunRule,
    now: number,
    mayCall: boolean,
  ): Turned => {
    const whose = { workspace, automation: automation.number, contact: row.contact, event: row.event };
    const found = facts.read(whose, rule.needs(row.state.currentNodeId));
    if (found === null) throw new Error("the contact is gone, and the run is still there");
    const { state, tries } = row;
    const run = { automationId: automation.id, enrollmentId: row.id };
    const usedIn = (month: string) => mail.monthUsed(workspace, month);
    const decision = rule.decide({ run, state, facts: found, tries, now, jitter: rule.jitter(), usedIn });

    const plan = ({ letter, month }: StepMail): void =>
      mail.plan({
        workspace,
        automation: automation.number,
        node: letter.nodeId,
        enrollment: row.seq,
        execution: state.steps,
        contact: row.contact,
        address: found.contact.email,
        event: row.event,
        sourceId: letterSource(automation.id, letter, month),
        content: JSON.stringify(letter.content),
        month,
        at: now,
      });
    const carryOut = (outcome: Move | Complete): void => {
      for (const effect of outcome.effects)
        if (effect.kind !== "sendEmail") change(effect, { ...whose, depth: row.depth }, found.contact, now);
    };

    switch (decision.kind) {
      case "fail":
        runs.fail(row, decision.errorMessage, now);
        return ENDED;
      case "later":
        runs.later(row, decision, now);
        return ENDED;
      case "needs": {
        if (!mayCall) {
          runs.later(row, { at: now + CALL_PAUSE_MS, problem: null }, now);
          return ENDED;
        }
        const firstAttemptAt = tries.firstAttemptAt ?? now;
        runs.lease(row, now + CALL_LEASE_MS);
        const { call, next } = decision;
        const owed = {
          enrollment: row.seq,
          steps: state.steps,
          workspaceId: automation.workspaceId,
          call,
          next,
        };
        return { ...ENDED, call: { ...owed, attempts: tries.attempts, firstAttemptAt } };
      }
      case "move":
      case "complete":
        carryOut(decision);
        if (decision.mail !== null) plan(decision.mail);
        runs.follow(row, decision, now);
        return {
          goesOn: decision.kind === "move" && decision.nextRunAt <= now,
          mails: decision.mail === null ? 0 : 1,
          call: null,
        };
    }
  };

  /** A step that threw is undone and put off; after some tries its run has FAILED, so that it never holds up the others. */
  const crash = (row: RunRow, error: unknown, rule: RunRule, now: number): void => {
    const at = rule.retryAt(row.tries.attempts + 1);
    const problem = `Something went wrong on our side: ${String(error)}`;
    if (at !== null) runs.later(row, { at, problem }, now);
    else
      runs.fail(row, `The step ${quoted(row.state.currentNodeId)} failed again and again. ${problem}`, now);
  };

  return (
    automation: DueAutomation,
    workspace: number,
    slice: Slice & { readonly callsMax: number },
    rule: RunRule,
  ) => {
    const { now } = slice;
    const calls: OwedCall[] = [];
    const crashes: unknown[] = [];
    let [done, mails] = [0, 0];

    const giveTurn = (due: RunRow): void => {
      let row: RunRow | null = due;
      for (let node = 0; row !== null && node < NODES_A_TURN; node++) {
        const standing: RunRow = row;
        const turned = attempt(() =>
          perform(automation, workspace, standing, rule, now, calls.length < slice.callsMax),
        );
        done++;
        if (!turned.ok) {
          crashes.push(turned.error);
          return crash(standing, turned.error, rule, now);
        }
        mails += turned.value.mails;
        if (turned.value.call !== null) calls.push(turned.value.call);
        row = turned.value.goesOn ? runs.find(standing.seq) : null;
      }
    };

    for (const due of runs.due(automation.number, now, slice.rowsMax)) {
      if (done > 0 && slice.isOver()) break;
      giveTurn(due);
    }
    return { done, mails, calls, crashes };
  };
}
