import type { PeopleStore } from "#people/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { personStanding } from "./person-standing.ts";
import { timelinePages } from "./timeline.ts";

export function peopleStore(database: SqliteDatabase, seqOf: WorkspaceSeq): PeopleStore {
  return { standing: personStanding(database, seqOf), timeline: timelinePages(database, seqOf) };
}
