import type { Page, PageRequest } from "#core/request/page.ts";
import type { PersonStanding } from "./mailable.ts";
import type { Moment, TimelinePosition } from "./moment.ts";

/** What is known of one person. */
export type TimelineStore = {
  /** Null: no such contact in the workspace. */
  standing(workspaceId: string, contactId: string): Promise<PersonStanding | null>;
  /**
   * Everything that is known to have happened to a person, newest first. Null: no such contact. Its cost does
   * not depend on how many events they have.
   */
  page(
    workspaceId: string,
    contactId: string,
    request: PageRequest<TimelinePosition>,
  ): Promise<Page<Moment, TimelinePosition> | null>;
};
