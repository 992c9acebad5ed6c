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
  const returned = sqlite.query<Pick<Counts, "returned">, [number, number, number]>(
    "SELECT coalesce(sum(returned), 0) AS returned FROM activity_counts WHERE workspace = ? AND at >= ? AND at < ?",
  );

  return {
    async between(workspaceId, bounds) {
      const workspace = seqOf(workspaceId);
      return await readBetween(bounds, (from, to) => ({
        ...sum(workspace, from, to),
        ...present(returned.get(workspace, from, to), "sum of what came back"),
      }));
    },
  };
}

/** The workspace's figures from one instant until before the other; also for a database without `returned`. */
export function figuresSum(sqlite: Database): (workspace: number, from: Instant, to: Instant) => Figures {
  const sum = sqlite.query<Figures, [number, number, number]>(
    `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(bounced), 0) AS bounced, coalesce(sum(opened), 0) AS opened,
       coalesce(sum(clicked), 0) AS clicked, coalesce(sum(unsubscribed), 0) AS unsubscribed,
       coalesce(sum(complained), 0) AS complained, coalesce(sum(new_contacts), 0) AS newContacts,
       coalesce(sum(events), 0) AS events
     FROM activity_counts WHERE workspace = ? AND at >= ? AND at < ?`,
  );
  return (workspace, from, to) => present(sum.get(workspace, from, to), "sum of figures");
}
