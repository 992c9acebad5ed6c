import type { Database } from "bun:sqlite";
import type { DueAutomation, OwedCall, RunRule, Slice } from "#automations/run-store.ts";
import { quoted } from "#core/text.ts";
import { enrollmentMoves, type RunRow } from "./enrollment-moves.ts";
import { runPerformer, type PerformedTurn } from "./run-perform.ts";
import { savepoints } from "./savepoint.ts";

/** So many nodes of one run are performed before the next run has its turn. */
const NODES_A_TURN = 25;

type Advanced = { done: number; mails: number; readonly calls: OwedCall[]; readonly crashes: unknown[] };

/** Gives the due runs of an automation their turns, on an open transaction: each node with all it changes is one savepoint. */
export function advanceRuns(sqlite: Database) {
  const runs = enrollmentMoves(sqlite);
  const perform = runPerformer(sqlite);
  const attempt = savepoints(sqlite, "turn");

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
  ): Advanced => {
    const { now } = slice;
    const sum: Advanced = { done: 0, mails: 0, calls: [], crashes: [] };

    /** Node after node, until the run has to wait, ends, or others have waited long enough. */
    const giveTurn = (due: RunRow): void => {
      let row: RunRow | null = due;
      for (let node = 0; row !== null && node < NODES_A_TURN; node++) {
        const turn: PerformedTurn = {
          automation,
          workspace,
          row,
          rule,
          now,
          mayCall: sum.calls.length < slice.callsMax,
        };
        const turned = attempt(() => perform(turn));
        sum.done++;
        if (!turned.ok) {
          sum.crashes.push(turned.error);
          return crash(row, turned.error, rule, now);
        }
        sum.mails += turned.value.mails;
        if (turned.value.call !== null) sum.calls.push(turned.value.call);
        row = turned.value.goesOn ? runs.find(row.seq) : null;
      }
    };

    for (const due of runs.due(automation.number, now, slice.rowsMax)) {
      if (sum.done > 0 && slice.isOver()) break;
      giveTurn(due);
    }
    return sum;
  };
}
