/** Wiring: PostgreSQL as the engine. Any number of processes may have it open. */
import { hostname } from "node:os";
import { systemClock } from "#core/clock.ts";
import { watchFaults } from "#storage/common/fault-watch.ts";
import type { Takeover } from "#storage/common/takeover.ts";
import { databaseFigures } from "#storage/postgres/engine/figures.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { ownNode } from "#storage/postgres/ledger/node.ts";
import { registry } from "#storage/postgres/ledger/registry.ts";
import { startHeart, type Heart } from "#storage/postgres/run/heart.ts";
import { takeOver } from "#storage/postgres/run/takeover.ts";
import { VERSION } from "#version.ts";
import type { Engine } from "./engine.ts";
import { postgresStores } from "./postgres-stores.ts";
import type { World } from "./world.ts";

/** How PostgreSQL is reached. */
export type PostgresPlace = {
  readonly url: string;
  /** False: a pooler stands before it that gives each transaction another connection. */
  readonly prepare: boolean;
};

export type PostgresEngine = Engine & {
  /** For a server: makes this process a node that sends, until its heart is stopped or lost. */
  join(): Promise<{ readonly takeover: Takeover; readonly heart: Heart }>;
  /** Runs `work` while no other process runs such work. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

export async function postgresEngine(
  { url, prepare }: PostgresPlace,
  { clock, random, log }: World,
): Promise<PostgresEngine> {
  const database = await openPostgres(url, { clock, random, prepare });
  // Leases are counted by the machine's own clock, also where a test has another.
  const node = ownNode(systemClock, { name: hostname(), version: VERSION });
  const nodes = registry(database, node, systemClock);
  const stores = withGaps(postgresStores(database, node, systemClock));
  const { plans, sends, signups, outbox } = stores;
  return {
    stores,
    openSendingStores: () => ({ plans, sends, signups, outbox }),
    signingSecret: database.signingSecret,
    fault: () => database.faults.current,
    probeWrite: database.probeWrite,
    watchFaults: (world) => watchFaults(database, world),
    figures: databaseFigures(database),
    copy: null,
    share: node.share,
    async join() {
      const takeover = await takeOver(database, nodes, clock.now());
      return { takeover, heart: startHeart({ database, registry: nodes, clock: systemClock, log }) };
    },
    alone: database.alone,
    close: database.close,
  };
}

type Stores = Engine["stores"] & ReturnType<Engine["openSendingStores"]>;

const NEEDED = [
  "audiences",
  "bounces",
  "events",
  "runs",
  "segments",
  "segmentMembers",
  "webhooks",
  "plans",
  "outbox",
];

/** Stores that are still missing fail when they are asked. Nothing but tests opens this engine before all are there. */
function withGaps(stores: object): Stores {
  const gap = (store: string) =>
    new Proxy(
      {},
      {
        get: (_, method) => () =>
          String(method).startsWith("on")
            ? undefined
            : Promise.reject(new Error(`PostgreSQL has no ${store} yet (${String(method)}).`)),
      },
    );
  return { ...Object.fromEntries(NEEDED.map((name) => [name, gap(name)])), ...stores } as Stores;
}
