import type { DueAutomation } from "#automations/run/store.ts";
import type { Around, NodeFacts, RunAtNode } from "#automations/run/step/node-performance.ts";
import {
  add,
  afterCrash,
  NODES_A_TURN,
  nothing,
  takeTurn,
  type Advanced,
  type Ask,
  type Turn,
} from "#automations/run/turn.ts";
import type { Run } from "#automations/run/run.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { TooLongForATurn } from "#storage/sqlite/engine/writes/in-slices.ts";
import { attempts } from "#storage/sqlite/engine/writes/savepoint.ts";
import { factsReader } from "#storage/sqlite/automations/automation-facts.ts";
import { automationMail } from "#storage/sqlite/automations/automation-mail.ts";
import { runWrites, whose, type WriteTurn } from "./run-writes.ts";

/** What all turns of a slice share. */
export type AroundHere = Around & { readonly automation: DueAutomation; readonly workspace: number };

/** Gives runs their turns (automations/run/turn.ts), on an open transaction. */
export type RunTurns = {
  /** The turn of one run. It is not undone if something throws. */
  take(due: RunAtNode, mayCall: () => boolean): Advanced;
  /** The same after something threw: each node has its own savepoint. */
  takeByNodes(due: RunAtNode, mayCall: () => boolean): TakenByNodes;
};

/** `optsOut`: the run stands at a step that opts its contact out, which is too long for this transaction. */
type TakenByNodes = { readonly taken: Advanced; readonly optsOut: Run | null };

/** For the turns of one slice. */
export function runTurns(database: SqliteDatabase): (around: AroundHere) => RunTurns {
  const facts = factsReader(database);
  const { monthUsed } = automationMail(database.sqlite);
  const writesOf = runWrites(database.sqlite);
  const attempt = attempts(database.sqlite, "node");

  const factsFor = ({ run, contact, needs }: Ask, around: AroundHere): NodeFacts => ({
    facts: facts.about(whose(around, run), needs, contact ?? present(facts.contact(run.contact), "contact")),
    usedIn: (month) => monthUsed(around.workspace, month),
  });

  const turn = (
    due: RunAtNode,
    around: AroundHere,
    write: WriteTurn,
    { mayCall, nodesMax }: { readonly mayCall: () => boolean; readonly nodesMax: number },
  ): Turn => {
    const steps = takeTurn(due, around, mayCall, nodesMax);
    let step = steps.next();
    while (step.done !== true) {
      write(due.run, step.value.writes);
      step = steps.next(factsFor(step.value, around));
    }
    write(due.run, step.value.writes);
    return step.value;
  };

  return (around) => {
    const write = writesOf(around);
    return {
      take: (due, mayCall) => turn(due, around, write, { mayCall, nodesMax: NODES_A_TURN }).sum,

      takeByNodes(due, mayCall) {
        const sum = nothing();
        let at: RunAtNode | null = due;
        while (at !== null && sum.done < NODES_A_TURN && (sum.done === 0 || !around.isOver())) {
          const from: RunAtNode = at;
          const tried = attempt(() => turn(from, around, write, { mayCall, nodesMax: 1 }));
          if (tried.ok) add(sum, tried.value.sum);
          else if (tried.error instanceof TooLongForATurn) return { taken: sum, optsOut: from.run };
          else {
            const { move, passage } = afterCrash(from.run, tried.error, around);
            write(from.run, [move]);
            const passages = passage === null ? [] : [passage];
            add(sum, { ...nothing(), done: 1, crashes: [tried.error], passages });
          }
          at = tried.ok ? tried.value.next : null;
        }
        return { taken: sum, optsOut: null };
      },
    };
  };
}
