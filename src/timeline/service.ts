import type { Clock } from "#core/time/clock.ts";
import { notFound } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { reasonsNotMailed, type NotMailed } from "./mailable.ts";
import type { TimelinePosition } from "./moment.ts";
import { describeMoment, type DescribedMoment } from "./sentence.ts";
import type { TimelineStore } from "./store.ts";

export type TimelineService = ReturnType<typeof timelineService>;

/** Every method throws AppError NOT_FOUND for a contact that the workspace does not have. */
export function timelineService(parts: {
  timeline: TimelineStore;
  workspaces: Pick<WorkspaceService, "settings">;
  clock: Clock;
}) {
  const { timeline, workspaces, clock } = parts;

  return {
    /** Everything that is known to have happened to the person, newest first, each as a sentence. */
    async page(
      workspaceId: string,
      contactId: string,
      request: PageRequest<TimelinePosition>,
    ): Promise<Page<DescribedMoment, TimelinePosition>> {
      const page = await timeline.page(workspaceId, contactId, request);
      if (page === null) throw notFound(`The contact ${contactId}`);
      const { timezone: zone } = await workspaces.settings(workspaceId);
      const today = { now: clock.now(), zone };
      return { ...page, items: page.items.map((moment) => describeMoment(moment, today)) };
    },

    /** Every reason why the person gets no campaigns; empty if there is none. */
    async reasonsNotMailed(workspaceId: string, contactId: string): Promise<NotMailed[]> {
      const standing = await timeline.standing(workspaceId, contactId);
      if (standing === null) throw notFound(`The contact ${contactId}`);
      return reasonsNotMailed(standing);
    },
  };
}
