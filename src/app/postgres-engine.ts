/** Wiring: PostgreSQL as the engine. Any number of processes may have it open. */
import { hostname } from "node:os";
import { Advised } from "#core/errors/advised.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { systemClock } from "#core/time/clock.ts";
import type { DatabaseAddress } from "#core/addresses/database-url.ts";
import { sharedImportFiles } from "#imports/shared-import-files.ts";
import { importFiles } from "#imports/import-files.ts";
import { watchFaults } from "#storage/common/engine/fault-watch.ts";
import type { Takeover } from "#storage/common/engine/takeover.ts";
import { databaseFigures } from "#storage/postgres/engine/figures.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { refusedAs } from "#storage/postgres/engine/refused.ts";
import { ownNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { waitingFiles } from "#storage/postgres/imports/waiting-files.ts";
import { checkStillHere } from "#storage/postgres/run/moved-to.ts";
import { checkNotLost, recordIn } from "#storage/postgres/run/database-record.ts";
import { startHeart, type Heart } from "#storage/postgres/run/heart.ts";
import { takeOver } from "#storage/postgres/run/takeover.ts";
import { VERSION } from "#version.ts";
import type { Engine } from "./engine.ts";
import { postgresStores } from "./postgres-stores.ts";
import type { World } from "./world.ts";

/** How PostgreSQL is reached. */
export type PostgresPlace = DatabaseAddress & {
  /** This process as one of those that send; a new one unless given. */
  readonly node?: OwnNode;
  /** False: an empty database is refused. */
  readonly make?: boolean;
  /** For a command: it has no lease that ends, so each of its writes looks whether the data was moved away. */
  readonly isCommand?: boolean;
  /** For a server: one whose commits a power cut could undo is refused. */
  readonly mustBeDurable?: boolean;
};

export type PostgresEngine = Engine & {
  /** For a server: makes this process a node that sends, until its heart is stopped or lost. */
  join(): Promise<{ readonly takeover: Takeover; readonly heart: Heart }>;
  /** For a command. @throws Error for a person if the data was moved away */
  checkStillHere(): Promise<void>;
  /** Runs `work` while no other process runs such work. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

/** Why a command does not begin with an empty database, such as one whose name was mistyped. */
export const emptyPostgres = (): Advised =>
  new Advised("this PostgreSQL database is empty: start the server once, or correct DATABASE_URL");

/** Leases are measured by the machine's own clock, even where a test uses another one. */
const thisNode = (): OwnNode => ownNode(systemClock, { name: hostname(), version: VERSION });

/** A beat that hangs is no error that anybody gets. But this node writes nothing of its work until one is answered. */
const lateBeat = ({ isLate }: OwnNode): Fenced | null => (isLate ? new Fenced() : null);

/**
 * A move may begin while a command is under way, such as a long import. What that writes when the data is elsewhere would
 * be seen by nobody, although it says that it is done. Its lock makes a move wait for the commit, and nobody else.
 */
const writingHereOnly = (database: PostgresDatabase): PostgresDatabase => ({
  ...database,
  write: (work) =>
    database.write(async (tx) => {
      await checkStillHere(tx, "FOR KEY SHARE");
      return await work(tx);
    }),
});

/** @param place with the directory of this server's own files */
export async function postgresEngine(
  place: PostgresPlace & { readonly dataDir: string },
  { clock, random, log }: World,
): Promise<PostgresEngine> {
  const { url, prepare, dataDir, mustBeDurable = false, trustsFailover = false, node = thisNode() } = place;
  const record = recordIn(dataDir);
  const mayMake = async (): Promise<void> => {
    await checkNotLost(record);
    if (place.make === false) throw emptyPostgres();
  };
  const opening = { clock, random, prepare, mustBeDurable, mayMake };
  const opened = await openPostgres(url, opening).catch((error: unknown) => {
    throw refusedAs(error, url);
  });
  const database = place.isCommand === true ? writingHereOnly(opened) : opened;
  const nodes = registry(database, node, systemClock);
  const stores = postgresStores(database, node, systemClock);
  const { plans, sends, signups, outbox } = stores;
  return {
    stores,
    openSendingStores: () => ({ plans, sends, signups, outbox }),
    signingSecret: database.signingSecret,
    fault: () => database.faults.current ?? lateBeat(node),
    async probeWrite() {
      const late = lateBeat(node);
      if (late !== null) throw late;
      await database.probeWrite();
    },
    watchFaults: (world) => watchFaults(database, world),
    figures: databaseFigures(database),
    importFiles: (directory) => sharedImportFiles(waitingFiles(database), importFiles(directory), clock),
    copy: null,
    share: node.share,
    nodes: () => node.peers.nodes,
    async join() {
      const how = { record, trustsFailover };
      const { trusted, seen, ...takeover } = await takeOver(database, nodes, clock.now(), how);
      if (trusted !== null)
        log.warn("sends go on, because DATABASE_FAILOVER says that the standby had every commit", {
          reason: trusted,
        });
      const heart = startHeart({ database, registry: nodes, clock: systemClock, log, record, seen });
      return { takeover, heart };
    },
    checkStillHere: () => database.read((session) => checkStillHere(session, "")),
    alone: database.alone,
    close: database.close,
  };
}
