import type { Instant } from "#core/time/clock.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { ContactWrite } from "#contacts/contact-plan.ts";
import type { RecordedEvent } from "./event.ts";
import type { NewEvent } from "./event-input.ts";

export type Recorded =
  | {
      readonly kind: "recorded" | "duplicate";
      readonly event: Pick<RecordedEvent, "id" | "name" | "createdAt">;
    }
  | { readonly kind: "no contact" };

export type EventFilter = { readonly name: string | null; readonly contactId: string | null };

/** Events of client applications. Every method is one transaction. */
export type EventStore = {
  /**
   * Records an event with the triggers it causes. If an event with its external id exists, returns that one
   * as the duplicate and writes nothing. `newContact` makes the contact for an address that has none.
   */
  record(
    workspaceId: string,
    event: NewEvent & { readonly id: string; readonly createdAt: Instant },
    newContact: (email: string) => { readonly id: string; readonly write: ContactWrite },
  ): Promise<Recorded>;
  /** Newest first. */
  page(workspaceId: string, filter: EventFilter, request: PageRequest): Promise<Page<RecordedEvent>>;
};
