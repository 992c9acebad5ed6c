import type { TimelineStore } from "#timeline/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { personStanding } from "./person-standing.ts";
import { timelinePages } from "./timeline.ts";

export function timelineStore(database: SqliteDatabase, seqOf: WorkspaceSeq): TimelineStore {
  return { standing: personStanding(database, seqOf), page: timelinePages(database, seqOf) };
}
