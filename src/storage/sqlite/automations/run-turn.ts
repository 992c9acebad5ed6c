import type { OwedCall } from "#automations/run/store.ts";
import { quoted } from "#core/text.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { savepoints } from "#storage/sqlite/engine/savepoint.ts";
import { enrollmentMoves } from "./enrollment-moves.ts";
import { merge, pass, type NodeTally } from "./node-counts.ts";
import { runPerformer, type RunStep, type Stepped } from "./run-perform.ts";

/** So many nodes of one run are performed before the next run has its turn. */
const NODES_A_TURN = 25;

export type Advanced = {
  done: number;
  mails: number;
  readonly calls: OwedCall[];
  readonly crashes: unknown[];
  readonly nodes: NodeTally;
};
type Standing = NonNullable<Stepped["next"]>;
/** All that a slice's turns have in common. */
type Around = Omit<RunStep, "row" | "contact" | "mayCall">;

export const nothing = (): Advanced => ({ done: 0, mails: 0, calls: [], crashes: [], nodes: new Map() });

export function add(sum: Advanced, more: Advanced): void {
  sum.done += more.done;
  sum.mails += more.mails;
  sum.calls.push(...more.calls);
  sum.crashes.push(...more.crashes);
  merge(sum.nodes, more.nodes);
}

/**
 * Gives one run its turn, on an open transaction.
 *
 * A turn goes over several nodes and is one savepoint. Where the run then stands is written once. If
 * something throws, the whole turn is undone and taken again node by node, each in a savepoint of its own. So
 * the nodes before the faulty one are performed, and only the faulty one is tried again later.
 */
export function runTurn(database: SqliteDatabase) {
  const { sqlite } = database;
  const runs = enrollmentMoves(sqlite);
  const perform = runPerformer(database);
  const attempt = savepoints(sqlite, "turn");

  /**
   * A step that threw is tried again later. After some tries its run has FAILED, so it never holds up the
   * others.
   */
  const crash = ({ row }: Standing, error: unknown, { rule, now }: Around, sum: Advanced): void => {
    const at = rule.retryAt(row.tries.attempts + 1);
    const problem = `Something went wrong on our side: ${String(error)}`;
    if (at !== null) return runs.later(row, { at, problem }, now);
    const left = row.state.currentNodeId;
    runs.fail(row, `The step ${quoted(left)} failed again and again. ${problem}`, now);
    pass(sum.nodes, { left, how: "failed", entered: null });
  };

  const node = (at: Standing, around: Around, mayCall: boolean, sum: Advanced): Standing | null => {
    const { next, mails, call, passage } = perform({ ...around, ...at, mayCall });
    sum.done++;
    sum.mails += mails;
    if (call !== null) sum.calls.push(call);
    if (passage !== null) pass(sum.nodes, passage);
    return next;
  };

  /** Node after node, until the run has to wait, ends, or others have waited long enough. */
  const turn = (due: Standing, around: Around, mayCall: boolean): Advanced => {
    const sum = nothing();
    let at: Standing | null = due;
    for (let n = 0; at !== null && n < NODES_A_TURN; n++) at = node(at, around, mayCall, sum);
    if (at !== null) runs.standUntil(at.row, around.now);
    return sum;
  };

  const turnByNodes = (due: Standing, around: Around, mayCall: boolean): Advanced => {
    const sum = nothing();
    let at: Standing | null = due;
    for (let n = 0; at !== null && n < NODES_A_TURN; n++) {
      const from: Standing = at;
      const tried = attempt(() => {
        const one = nothing();
        const next = node(from, around, mayCall, one);
        if (next !== null) runs.standUntil(next.row, around.now);
        return { next, one };
      });
      if (tried.ok) add(sum, tried.value.one);
      else {
        add(sum, { ...nothing(), done: 1, crashes: [tried.error] });
        crash(from, tried.error, around, sum);
      }
      at = tried.ok ? tried.value.next : null;
    }
    return sum;
  };

  return (due: Standing, around: Around, mayCall: boolean): Advanced => {
    const tried = attempt(() => turn(due, around, mayCall));
    return tried.ok ? tried.value : turnByNodes(due, around, mayCall);
  };
}
