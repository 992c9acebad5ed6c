import type { Trigger } from "#core/trigger.ts";

type StoredTrigger = {
  readonly kind: Trigger["kind"];
  readonly detail: string;
  /** The number of the event's row; null if it was none. */
  readonly event: number | null;
};

/** The trigger of a start as it is stored. */
export function storedTrigger({ kind, detail, event }: StoredTrigger): Trigger {
  if (kind === "tag_added") return { kind, tag: detail };
  return kind === "custom_event" ? { kind, eventName: detail, eventId: String(event) } : { kind };
}
