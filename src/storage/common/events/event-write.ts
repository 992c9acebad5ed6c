import type { EventStore } from "#events/store.ts";

/** An event to record, and how to make the contact if the address has none. */
export type NewEventWrite = {
  readonly event: Parameters<EventStore["record"]>[1];
  readonly newContact: Parameters<EventStore["record"]>[2];
};
