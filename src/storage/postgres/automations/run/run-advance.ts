import { tallyOf } from "#automations/run/node-tally.ts";
import type { Around, RunRule } from "#automations/run/step/node-performance.ts";
import type { DueAutomation, RunStore, SliceResult } from "#automations/run/store.ts";
import { add, afterCrash, NODES_A_TURN, nothing, type Advanced } from "#automations/run/turn.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { dueSeqs, holdRun, takeDue, writeMoves } from "#storage/postgres/automations/enrollment-moves.ts";
import { bookNodes } from "#storage/postgres/automations/node-counts.ts";
import { holdLive, tryTo } from "./run-hold.ts";
import { NewNames, takeTurns } from "./run-turns.ts";
import { NOTHING } from "#storage/common/automations/slice-result.ts";

/** How many runs advance side by side. Their transaction takes some milliseconds. */
const RUNS_AT_ONCE = 32;

type Slice = Parameters<RunStore["advance"]>[1];
type Part = { readonly limit: number; readonly nodesMax: number; readonly only: number | null };
type Work = { readonly automation: DueAutomation; readonly slice: Slice; readonly rule: RunRule };

/**
 * Gives the due runs of an automation their turns. They share a transaction. If something throws, it is undone, and
 * each run gets its own transaction; only the faulty run is then taken node by node.
 */
export function advanceRuns(database: PostgresDatabase): RunStore["advance"] {
  const { read, write } = database;

  /** Null: the automation has changed. */
  const advance = async (work: Work, part: Part): Promise<Advanced | null> => {
    try {
      return await write((tx) => advancePart(tx, work, part, false));
    } catch (error) {
      if (!(error instanceof NewNames)) throw error;
      return await write((tx) => advancePart(tx, work, part, true));
    }
  };

  /** One run, with each node in its own transaction. */
  const byNodes = async (work: Work, seq: number): Promise<Advanced> => {
    const sum = nothing();
    while (sum.done < NODES_A_TURN) {
      const tried = await tryTo(() => advance(work, { limit: 1, nodesMax: 1, only: seq }));
      if (tried.ok) {
        if (tried.value === null || tried.value.done === 0) break;
        add(sum, tried.value);
        continue;
      }
      const { error } = tried;
      const passages = await write((tx) => putOff(tx, work, seq, error));
      add(sum, { ...nothing(), done: 1, crashes: [error], passages });
      break;
    }
    return sum;
  };

  const oneByOne = async (work: Work, limit: number): Promise<Advanced> => {
    const { automation, slice } = work;
    const sum = nothing();
    const due = { automation: automation.number, now: slice.now, limit };
    for (const only of await read((session) => dueSeqs(session, due))) {
      const left = { ...work, slice: { ...slice, callsMax: slice.callsMax - sum.calls.length } };
      const tried = await tryTo(() => advance(left, { limit: 1, nodesMax: NODES_A_TURN, only }));
      add(sum, tried.ok ? (tried.value ?? nothing()) : await byNodes(left, only));
    }
    return sum;
  };

  return async (automation, slice, rule): Promise<SliceResult> => {
    const work = { automation, slice, rule };
    const limit = Math.min(RUNS_AT_ONCE, slice.rowsMax);
    const tried = await tryTo(() => advance(work, { limit, nodesMax: NODES_A_TURN, only: null }));
    const advanced = tried.ok ? tried.value : await oneByOne(work, limit);
    if (advanced === null) return { ...NOTHING, stale: true };
    const { passages: _passages, ...done } = advanced;
    return { ...NOTHING, ...done };
  };
}

async function advancePart(
  tx: Session,
  { automation, slice, rule }: Work,
  { limit, nodesMax, only }: Part,
  holdsNames: boolean,
): Promise<Advanced | null> {
  const { now, callsMax } = slice;
  const workspace = await holdLive(tx, automation);
  if (workspace === null) return null;
  if (holdsNames) await lockWorkspace(tx, workspace);
  const runs = await takeDue(tx, { automation: automation.number, now, limit, only });
  const limits = { begin: () => slice.begin(), nodesMax, callsMax, holdsNames };
  const advanced = await takeTurns(tx, { automation, workspace, rule, now, ...limits }, runs);
  await bookNodes(tx, automation.number, tallyOf(advanced.passages));
  return advanced;
}

/** A run whose node threw. Returns what that means for the node. */
async function putOff(
  tx: Session,
  { automation, slice, rule }: Work,
  seq: number,
  error: unknown,
): Promise<Advanced["passages"]> {
  const { now } = slice;
  const run = await holdRun(tx, seq);
  if (run === null) return [];
  const around: Around = { automation, rule, now, isOver: () => false };
  const { move, passage } = afterCrash(run, error, around);
  await writeMoves(tx, [move], now);
  const passages = passage === null ? [] : [passage];
  await bookNodes(tx, automation.number, tallyOf(passages));
  return passages;
}
