import type { Facts } from "#automations/run/facts.ts";
import { letterSource } from "#automations/mail/mail-plan.ts";
import type { DueAutomation, OwedCall, RunRule } from "#automations/run/run-store.ts";
import type { Decision, StepMail } from "#automations/run/turn.ts";
import type { Contact } from "#contacts/contact.ts";
import { effectWrites } from "./automation-effects.ts";
import { factsReader } from "./automation-facts.ts";
import { automationMail } from "./automation-mail.ts";
import { enrollmentMoves, moved, type RunRow } from "./enrollment-moves.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { required } from "#storage/sqlite/engine/required.ts";

/** A call that has not ended by then belongs to a server that was killed: it is made again, under the same id. */
const CALL_LEASE_MS = 60_000;
/** There are calls enough under way. */
const CALL_PAUSE_MS = 1_000;

/** One run's turn: whose it is, by what rule, and when. */
export type PerformedTurn = {
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

/** What a turn led to. */
export type Turned = {
  /** The run and its contact before the next node, whose turn it is at once: not written yet. Null: the turn is over, and all is written. */
  readonly next: { readonly row: RunRow; readonly contact: Contact } | null;
  readonly mails: number;
  readonly call: OwedCall | null;
};
const ENDED: Turned = { next: null, mails: 0, call: null };

/** Performs one node of one run with all it changes, on an open transaction. */
export function runPerformer(database: SqliteDatabase) {
  const { sqlite } = database;
  const runs = enrollmentMoves(sqlite);
  const facts = factsReader(database);
  const mail = automationMail(sqlite);
  const change = effectWrites(sqlite);

  const whose = ({ workspace, automation, row }: PerformedTurn) => ({
    workspace,
    automation: automation.number,
    contact: row.contact,
    event: row.event,
  });

  const planMail = (turn: PerformedTurn, { contact }: Facts, { letter, month }: StepMail): void => {
    const { row, automation } = turn;
    mail.plan({
      ...whose(turn),
      node: letter.nodeId,
      enrollment: row.seq,
      execution: row.state.steps,
      address: contact.email,
      sourceId: letterSource(automation.id, letter, month),
      content: () => JSON.stringify(letter.content),
      month,
      at: turn.now,
    });
  };

  const owe = (turn: PerformedTurn, { call, next }: Extract<Decision, { kind: "needs" }>): Turned => {
    const { row, now, automation } = turn;
    if (!turn.mayCall) {
      runs.later(row, { at: now + CALL_PAUSE_MS, problem: null }, now);
      return ENDED;
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
    return { ...ENDED, call: { ...owed, attempts, firstAttemptAt: firstAttemptAt ?? now } };
  };

  const follow = (
    turn: PerformedTurn,
    found: Facts,
    outcome: Extract<Decision, { kind: "move" | "complete" }>,
  ): Turned => {
    const { row, now } = turn;
    const changes = outcome.effects.filter((effect) => effect.kind !== "sendEmail");
    for (const effect of changes) change(effect, { ...whose(turn), depth: row.depth }, found.contact, now);
    if (outcome.mail !== null) planMail(turn, found, outcome.mail);
    const done = { mails: outcome.mail === null ? 0 : 1, call: null };
    if (outcome.kind === "complete" || outcome.nextRunAt > now) {
      runs.follow(row, outcome, now);
      return { next: null, ...done };
    }
    const contact = changes.length === 0 ? turn.contact : required(facts.contact(row.contact));
    return { next: { row: moved(row, outcome), contact }, ...done };
  };

  return (turn: PerformedTurn): Turned => {
    const { automation, workspace, row, rule, now } = turn;
    const found = facts.about(whose(turn), rule.needs(row.state.currentNodeId), turn.contact);
    const decision = rule.decide({
      run: { automationId: automation.id, enrollmentId: row.id },
      state: row.state,
      facts: found,
      tries: row.tries,
      now,
      jitter: rule.jitter(),
      usedIn: (month) => mail.monthUsed(workspace, month),
    });
    switch (decision.kind) {
      case "fail":
        runs.fail(row, decision.errorMessage, now);
        return ENDED;
      case "later":
        runs.later(row, decision, now);
        return ENDED;
      case "needs":
        return owe(turn, decision);
      case "move":
      case "complete":
        return follow(turn, found, decision);
    }
  };
}
