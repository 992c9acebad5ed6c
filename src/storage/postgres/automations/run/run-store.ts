import { tallyOf } from "#automations/run/node-tally.ts";
import type { RunStore } from "#automations/run/store.ts";
import { afterCall } from "#automations/run/turn.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { currentFlowOf, flowOf } from "#storage/postgres/automations/automation-reads.ts";
import { holdRun, writeMoves } from "#storage/postgres/automations/enrollment-moves.ts";
import { drawInRetries } from "#storage/postgres/ledger/moves/far-retries.ts";
import { bookNodes } from "#storage/postgres/automations/node-counts.ts";
import { admitStarts } from "./run-admit.ts";
import { advanceRuns } from "./run-advance.ts";
import { heldRuns } from "./held-runs.ts";
import { clearing } from "./run-clearing.ts";
import { runReads } from "./run-reads.ts";
import { runSchedule } from "./run-schedule.ts";
import { spreadTriggers } from "./run-spread.ts";

export function runStore(database: PostgresDatabase): RunStore {
  const { read, write } = database;
  return {
    ...runSchedule(database),
    ...runReads(database),
    flow: (automation) => read((session) => flowOf(session, automation)),
    spread: spreadTriggers(database),
    admit: admitStarts(database),
    advance: advanceRuns(database),
    clearDeleted: clearing(database),
    drawIn: (now) => write((tx) => drawInRetries(tx, now)),
    ...heldRuns(database),

    settleCall: (call, ending, now) =>
      write(async (tx) => {
        const run = await holdRun(tx, call.enrollment);
        if (run === null || run.state.steps !== call.steps) return;
        const flow = await currentFlowOf(tx, run.automation);
        if (flow === null) return;
        const { move, passage } = afterCall(run, call, ending, { flow, now });
        await writeMoves(tx, [move], now);
        if (passage !== null) await bookNodes(tx, run.automation, tallyOf([passage]));
      }),
  };
}
