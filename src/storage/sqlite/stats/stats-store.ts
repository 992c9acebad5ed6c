import type { Figures } from "#stats/figures.ts";
import type { StatsStore } from "#stats/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

/** Read without a turn of the event loop: of days, some thousand rows. */
const STEPS_A_TURN = 50;

export function statsStore({ sqlite }: SqliteDatabase, seqOf: WorkspaceSeq): StatsStore {
  const sum = sqlite.query<Figures, [number, number, number]>(
    `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(bounced), 0) AS bounced, coalesce(sum(opened), 0) AS opened,
       coalesce(sum(clicked), 0) AS clicked, coalesce(sum(unsubscribed), 0) AS unsubscribed,
       coalesce(sum(complained), 0) AS complained, coalesce(sum(new_contacts), 0) AS newContacts,
       coalesce(sum(events), 0) AS events
     FROM activity_counts WHERE workspace = ? AND at >= ? AND at < ?`,
  );

  return {
    async between(workspaceId, bounds) {
      const workspace = seqOf(workspaceId);
      const figures: Figures[] = [];
      for (const [i, end] of bounds.entries()) {
        const begin = bounds[i - 1];
        if (begin === undefined) continue;
        figures.push(present(sum.get(workspace, begin, end), "sum of figures"));
        if (i % STEPS_A_TURN === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
      }
      return figures;
    },
  };
}
