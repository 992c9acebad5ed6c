import { planEventContact } from "#contacts/contact-plan.ts";
import type { Clock } from "#core/time/clock.ts";
import { accept, notFound, refuse, unwrap, type Result } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { RecordedEvent } from "./event.ts";
import type { NewEvent } from "./event-input.ts";
import type { EventFilter, EventStore, Recorded } from "./store.ts";

export type EventService = ReturnType<typeof eventService>;

export type RecordAnswer = Exclude<Recorded, { kind: "no contact" }>;

export function eventService(parts: { events: EventStore; clock: Clock; newId: NewId }) {
  const { events, clock, newId } = parts;

  const recordOne = async (workspaceId: string, event: NewEvent): Promise<Result<RecordAnswer>> => {
    const createdAt = clock.now();
    const recorded = await events.record(workspaceId, { ...event, id: newId("ev"), createdAt }, (email) => ({
      id: newId("ct"),
      write: planEventContact(email, createdAt),
    }));
    if (recorded.kind !== "no contact") return accept(recorded);
    const { message } = notFound(`The contact ${event.subject.kind === "id" ? event.subject.contactId : ""}`);
    return refuse("NOT_FOUND", message);
  };

  return {
    /**
     * Records an event and starts what it triggers (docs/contract.md "Events"). An unknown address becomes a
     * PENDING contact. The same external id again records nothing, however many requests carry it at once.
     * @throws AppError NOT_FOUND for an unknown contact id
     */
    record: async (workspaceId: string, event: NewEvent): Promise<RecordAnswer> =>
      unwrap(await recordOne(workspaceId, event)),

    /**
     * `record` for many, in the order given; they share their commits. One whose contact is unknown does not
     * stop the others.
     */
    recordAll: (workspaceId: string, many: readonly NewEvent[]): Promise<Result<RecordAnswer>[]> =>
      Promise.all(many.map((event) => recordOne(workspaceId, event))),

    page: (workspaceId: string, filter: EventFilter, request: PageRequest): Promise<Page<RecordedEvent>> =>
      events.page(workspaceId, filter, request),
  };
}
