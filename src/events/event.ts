import type { Instant } from "#core/time/clock.ts";
import type { JsonObject } from "#core/request/json-value.ts";

/**
 * Something that a client application says a contact did (docs/contract.md "Recorded event"). `name` is
 * normalized (`event-name.ts`).
 */
export type RecordedEvent = {
  readonly id: string;
  readonly name: string;
  readonly properties: JsonObject;
  /** Whole minor units; null if the event has no amount. */
  readonly valueCents: number | null;
  /** Three upper-case letters; null if the event has no currency. */
  readonly currency: string | null;
  readonly contactId: string;
  readonly createdAt: Instant;
};
