import type { DueAutomation } from "#automations/run/store.ts";
import type { Around, NodeFacts } from "#automations/run/node-performance.ts";
import { pass } from "#automations/run/node-tally.ts";
import {
  add,
  afterCrash,
  NODES_A_TURN,
  nothing,
  takeTurn,
  type Advanced,
  type Ask,
  type Standing,
  type Turn,
} from "#automations/run/turn.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { savepoints } from "#storage/sqlite/engine/savepoint.ts";
import { factsReader } from "./automation-facts.ts";
import { automationMail } from "./automation-mail.ts";
import { runWrites, whose } from "./run-writes.ts";

/** All that a slice's turns have in common. */
type AroundHere = Around & { readonly automation: DueAutomation; readonly workspace: number };

/**
 * Gives one run its turn (automations/run/turn.ts), on an open transaction: a turn is one savepoint, and after a crash
 * each of its nodes.
 */
export function runTurn(database: SqliteDatabase) {
  const { sqlite } = database;
  const facts = factsReader(database);
  const { monthUsed } = automationMail(sqlite);
  const write = runWrites(sqlite);
  const attempt = savepoints(sqlite, "turn");

  const factsFor = ({ run, contact, needs }: Ask, around: AroundHere): NodeFacts => {
    const person = contact ?? present(facts.contact(run.contact), "contact that was just changed");
    return {
      facts: facts.about(whose(around, run), needs, person),
      usedIn: (month) => monthUsed(around.workspace, month),
    };
  };

  const turn = (due: Standing, around: AroundHere, mayCall: boolean, nodesMax: number): Turn => {
    const steps = takeTurn(due, around, mayCall, nodesMax);
    let step = steps.next();
    while (step.done !== true) {
      write(due.run, step.value.writes, around);
      step = steps.next(factsFor(step.value, around));
    }
    write(due.run, step.value.writes, around);
    return step.value;
  };

  const turnByNodes = (due: Standing, around: AroundHere, mayCall: boolean): Advanced => {
    const sum = nothing();
    let at: Standing | null = due;
    for (let n = 0; at !== null && n < NODES_A_TURN; n++) {
      const from: Standing = at;
      const tried = attempt(() => turn(from, around, mayCall, 1));
      if (tried.ok) add(sum, tried.value.sum);
      else {
        add(sum, { ...nothing(), done: 1, crashes: [tried.error] });
        const { move, passage } = afterCrash(from.run, tried.error, around);
        write(from.run, [move], around);
        if (passage !== null) pass(sum.nodes, passage);
      }
      at = tried.ok ? tried.value.next : null;
    }
    return sum;
  };

  return (due: Standing, around: AroundHere, mayCall: boolean): Advanced => {
    const tried = attempt(() => turn(due, around, mayCall, NODES_A_TURN));
    return tried.ok ? tried.value.sum : turnByNodes(due, around, mayCall);
  };
}
