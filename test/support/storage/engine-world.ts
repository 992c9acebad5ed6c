/** The start of tests of stores: two workspaces, `ws_one` and `ws_two`. */
import type { Clock } from "#core/time/clock.ts";
import type { Engine, OpenedEngine } from "./engines.ts";

export async function openWithWorkspaces(engine: Engine, clock?: Clock): Promise<OpenedEngine> {
  const opened = await engine.open(clock);
  for (const id of ["ws_one", "ws_two"]) {
    const key = { id: `key_${id}`, name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
    await opened.stores.workspaces.create({ id, createdAt: 1 }, {}, { ...key, hash: Buffer.from(id) });
  }
  return opened;
}
