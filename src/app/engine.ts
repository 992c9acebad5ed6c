/** Wiring: what the services need from a database, whichever engine provides it. */
import type { CopyDatabase } from "#backups/service.ts";
import type { PlanStore } from "#campaigns/send/plan.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Share } from "#core/share.ts";
import type { ImportFiles } from "#imports/import-files.ts";
import type { DatabaseFigures } from "#core/database-figures.ts";
import type { sqliteSendingStores, sqliteStores } from "./sqlite-stores.ts";
import type { World } from "./world.ts";

/** An open database, of either engine. */
export type Engine = {
  readonly stores: Omit<ReturnType<typeof sqliteStores>, "segmentQuestions">;
  /** For a server, which sends. */
  openSendingStores(): Omit<ReturnType<typeof sqliteSendingStores>, "plans"> & { readonly plans: PlanStore };
  /** Signs links, tokens and cursors. */
  readonly signingSecret: Uint8Array;
  /** Why nothing can be written; null while it can. */
  fault(): Error | null;
  /** @throws the fault, if nothing can be written */
  probeWrite(): Promise<void>;
  /** For a server: logs when faults begin and end. */
  watchFaults(world: Pick<World, "clock" | "log">): { stop(): void };
  /** Uploaded files that wait to be imported. They are received in a directory of this machine. */
  importFiles(directory: string): ImportFiles;
  /** What a monitor wants to know. */
  figures(now: Instant): Promise<DatabaseFigures>;
  /** Null: the database is copied with its own tools. */
  readonly copy: CopyDatabase | null;
  /** How much of a limit this process may use. */
  readonly share: Share;
  /** How many processes send from the database, as this one saw them last. Null: there can be only one. */
  nodes(): number | null;
  close(): Promise<void>;
};
