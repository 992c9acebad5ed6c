import type { RunRule } from "#automations/run/step/node-performance.ts";
import type { DueAutomation, Slice } from "#automations/run/store.ts";
import { add, nothing, type Advanced } from "#automations/run/turn.ts";
import type { Run } from "#automations/run/run.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { LongRead } from "#storage/sqlite/events/event-sums.ts";
import { attempts } from "#storage/sqlite/engine/writes/savepoint.ts";
import { enrollmentMoves, type DueRun } from "#storage/sqlite/automations/enrollment-moves.ts";
import { runTurns, type RunTurns } from "./run-turns.ts";

/** How many runs are read at once: fewer than a slice has time for, so that few are read in vain. */
const LOOK_ROWS = 16;

type AdvanceSlice = Slice & { readonly callsMax: number };
/**
 * `longRead`: a run stays due until this was read; `optsOut`: a run stays due until its contact was opted out
 * (long-opt-out.ts). In both cases the slice ends.
 */
type AdvancedHere = Advanced & { readonly longRead: LongRead | null; readonly optsOut: Run | null };

/**
 * Gives the due runs of an automation their turns (run-turns.ts), on an open transaction.
 *
 * The runs that are read together share a savepoint, because one for each costs as much as a write. If something
 * throws, they are all undone and taken again, each on its own; only the faulty one is then taken node by node.
 */
export function advanceRuns(database: SqliteDatabase) {
  const runs = enrollmentMoves(database.sqlite);
  const turnsOf = runTurns(database);
  const together = attempts(database.sqlite, "look");
  const alone = attempts(database.sqlite, "turn");

  return (automation: DueAutomation, workspace: number, slice: AdvanceSlice, rule: RunRule): AdvancedHere => {
    const { now } = slice;
    const isOver = slice.begin();
    const turns = turnsOf({ automation, workspace, rule, now, isOver });
    const sum = nothing();
    let longRead: LongRead | null = null;
    let optsOut: Run | null = null;
    /** The first run is taken even if the time is over. */
    const mayGoOn = (done: number): boolean =>
      longRead === null && optsOut === null && (done === 0 || !isOver());

    /** Takes as many as there is time for; the others stay due. */
    const takeAll = (looked: readonly DueRun[], take: RunTurns["take"]): Advanced => {
      const taken = nothing();
      const mayCall = (): boolean => sum.calls.length + taken.calls.length < slice.callsMax;
      for (const due of looked) {
        if (!mayGoOn(sum.done + taken.done)) break;
        add(taken, take(due, mayCall));
      }
      return taken;
    };

    const takeAlone: RunTurns["take"] = (due, mayCall) => {
      const tried = alone(() => turns.take(due, mayCall));
      if (tried.ok) return tried.value;
      if (tried.error instanceof LongRead) {
        longRead = tried.error;
        return nothing();
      }
      const byNodes = turns.takeByNodes(due, mayCall);
      ({ optsOut } = byNodes);
      return byNodes.taken;
    };

    for (let rows = 0; rows < slice.rowsMax && mayGoOn(sum.done);) {
      const looked = runs.due(automation.number, now, Math.min(LOOK_ROWS, slice.rowsMax - rows));
      const tried = together(() => takeAll(looked, turns.take));
      add(sum, tried.ok ? tried.value : takeAll(looked, takeAlone));
      rows += looked.length;
      if (looked.length < LOOK_ROWS) break;
    }
    return { ...sum, longRead, optsOut };
  };
}
