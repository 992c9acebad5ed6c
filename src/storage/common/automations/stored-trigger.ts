import type { Trigger } from "#core/trigger.ts";

type StoredTrigger = {
  readonly kind: Trigger["kind"];
  readonly detail: string;
  /** The row number of the event; null if the trigger was no event. */
  readonly event: number | null;
};

/** The trigger of a start as it is stored. */
export function storedTrigger({ kind, detail, event }: StoredTrigger): Trigger {
  if (kind === "tag_added") return { kind, tag: detail };
  return kind === "custom_event" ? { kind, eventName: detail, eventId: String(event) } : { kind };
}
