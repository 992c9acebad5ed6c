import type { Database } from "bun:sqlite";
import type { Instant } from "#core/time/clock.ts";
import type { Counts, Figures } from "#stats/figures.ts";
import type { StatsStore } from "#stats/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { readBetween } from "./between.ts";
import { present } from "#core/present.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

export function statsStore({ sqlite }: SqliteDatabase, seqOf: WorkspaceSeq): StatsStore {
  const sum = figuresSum(sqlite);
  const laterSum = laterFiguresSum(sqlite);

  return {
    async between(workspaceId, bounds) {
      const workspace = seqOf(workspaceId);
      return await readBetween(bounds, (from, to) => ({
        ...sum(workspace, from, to),
        ...laterSum(workspace, from, to),
      }));
    },
  };
}

type Sum<T> = (workspace: number, from: Instant, to: Instant) => T;

/** The workspace's figures from one instant until before the other; also for a database that has only these. */
export function figuresSum(sqlite: Database): Sum<Figures> {
  const sum = sqlite.query<Figures, [number, number, number]>(
    `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(bounced), 0) AS bounced, coalesce(sum(opened), 0) AS opened,
       coalesce(sum(clicked), 0) AS clicked, coalesce(sum(unsubscribed), 0) AS unsubscribed,
       coalesce(sum(complained), 0) AS complained, coalesce(sum(new_contacts), 0) AS newContacts,
       coalesce(sum(events), 0) AS events
     FROM activity_counts WHERE workspace = ? AND at >= ? AND at < ?`,
  );
  return (workspace, from, to) => present(sum.get(workspace, from, to), "sum of figures");
}

type LaterFigures = Omit<Counts, keyof Figures>;

/** Those that came later, the last one with the migration `0046_complained_elsewhere`. */
export function laterFiguresSum(sqlite: Database): Sum<LaterFigures> {
  const sum = sqlite.query<LaterFigures, [number, number, number]>(
    `SELECT coalesce(sum(returned), 0) AS returned, coalesce(sum(complained_elsewhere), 0) AS complainedElsewhere
     FROM activity_counts WHERE workspace = ? AND at >= ? AND at < ?`,
  );
  return (workspace, from, to) => present(sum.get(workspace, from, to), "sum of later figures");
}
