import type { RunRule } from "#automations/run/node-performance.ts";
import type { DueAutomation, Slice } from "#automations/run/store.ts";
import { add, nothing, type Advanced } from "#automations/run/turn.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { enrollmentMoves } from "./enrollment-moves.ts";
import { runTurn } from "./run-turn.ts";

/**
 * How many runs are read at once: about as many as a slice has time for, so that few are read for nothing.
 */
const LOOK_ROWS = 32;

type AdvanceSlice = Slice & { readonly callsMax: number };

/** Gives the due runs of an automation their turns (run-turn.ts), on an open transaction. */
export function advanceRuns(database: SqliteDatabase) {
  const runs = enrollmentMoves(database.sqlite);
  const turn = runTurn(database);

  return (automation: DueAutomation, workspace: number, slice: AdvanceSlice, rule: RunRule): Advanced => {
    const { now } = slice;
    const around = { automation, workspace, rule, now };
    const sum = nothing();
    for (let rows = 0; rows < slice.rowsMax;) {
      const looked = runs.due(automation.number, now, Math.min(LOOK_ROWS, slice.rowsMax - rows));
      for (const due of looked) {
        if (sum.done > 0 && slice.isOver()) return sum;
        add(sum, turn(due, around, sum.calls.length < slice.callsMax));
      }
      rows += looked.length;
      if (looked.length < LOOK_ROWS) break;
    }
    return sum;
  };
}
