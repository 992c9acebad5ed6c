import type { PeopleStore } from "#people/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { personStanding } from "./person-standing.ts";
import { timelinePages } from "./timeline.ts";

export function peopleStore(database: PostgresDatabase): PeopleStore {
  return { standing: personStanding(database), timeline: timelinePages(database) };
}
