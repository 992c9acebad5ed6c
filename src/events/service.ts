import { planEventContact } from "#contacts/contact-plan.ts";
import type { Clock } from "#core/time/clock.ts";
import { accept, notFound, refuse, unwrap, type Result } from "#core/errors/errors.ts";
import { resultOfEach } from "#core/errors/result-of-each.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Log } from "#log.ts";
import type { RecordedEvent } from "./event.ts";
import type { NewEvent } from "./event-input.ts";
import type { EventFilter, EventStore, Recorded } from "./store.ts";

export type EventService = ReturnType<typeof eventService>;

export type RecordAnswer = Exclude<Recorded, { kind: "no contact" }>;

export function eventService(parts: { events: EventStore; clock: Clock; newId: NewId; log: Log }) {
  const { events, clock, newId, log } = parts;

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
     * `record` for many, in the order given; they share their commits. One that cannot be recorded does not stop
     * the others: they share several commits, and the disk may be full after the first.
     * @throws what the first one failed of, if all of them failed: nothing was recorded
     */
    async recordAll(workspaceId: string, many: readonly NewEvent[]): Promise<Result<RecordAnswer>[]> {
      const ended = await Promise.allSettled(many.map((event) => recordOne(workspaceId, event)));
      const answers = resultOfEach(ended, (error) => log.error("an event could not be recorded", { error }));
      return answers.map((one) => (one.ok ? one.value : one));
    },

    page: (workspaceId: string, filter: EventFilter, request: PageRequest): Promise<Page<RecordedEvent>> =>
      events.page(workspaceId, filter, request),
  };
}
