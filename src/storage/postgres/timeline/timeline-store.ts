import type { TimelineStore } from "#timeline/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { personStanding } from "./person-standing.ts";
import { timelinePages } from "./timeline.ts";

export function timelineStore(database: PostgresDatabase): TimelineStore {
  return { standing: personStanding(database), page: timelinePages(database) };
}
