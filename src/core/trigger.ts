/**
 * Something that happened to a contact and may start automations: written as a row in the transaction that caused it, so that
 * contacts and events know nothing of automations. Names are stored forms: a tag trimmed, an event name normalized.
 */
export type Trigger =
  | { readonly kind: "new_subscriber" }
  | { readonly kind: "tag_added"; readonly tag: string }
  | { readonly kind: "custom_event"; readonly eventName: string; readonly eventId: string };

type Detailed =
  | { readonly kind: "new_subscriber" }
  | { readonly kind: "tag_added"; readonly tag: string }
  | { readonly kind: "custom_event"; readonly eventName: string };

/** What tells two triggers of a kind apart: the tag, the event's name, nothing. */
export function triggerDetail(trigger: Detailed): string {
  switch (trigger.kind) {
    case "new_subscriber":
      return "";
    case "tag_added":
      return trigger.tag;
    case "custom_event":
      return trigger.eventName;
  }
}
