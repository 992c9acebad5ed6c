/** The start of tests of stores: two workspaces, `ws_one` and `ws_two`. */
import { systemClock, type Clock } from "#core/time/clock.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Engine, OpenedEngine } from "./engines.ts";

export async function openWithWorkspaces(engine: Engine, clock?: Clock): Promise<OpenedEngine> {
  const opened = await engine.open(clock);
  for (const id of ["ws_one", "ws_two"]) {
    const key = { id: `key_${id}`, name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
    await opened.stores.workspaces.create({ id, createdAt: 1 }, {}, { ...key, hash: Buffer.from(id) });
  }
  return opened;
}

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };

type OpenedLedger = {
  readonly opened: OpenedEngine;
  readonly ledger: LedgerStore;
  /** The number of the server's run that claims. */
  readonly run: number;
};

/** The same, and a server that may send. */
export async function openLedger(engine: Engine, now: number): Promise<OpenedLedger> {
  const opened = await openWithWorkspaces(engine, STILL);
  const { ledger } = opened.stores;
  await ledger.sweep(now);
  const { run } = await ledger.join(now, false);
  return { opened, ledger, run };
}
