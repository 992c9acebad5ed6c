/**
 * Something that happened to a contact and may start automations. It is written as a row in the transaction
 * that caused it, so contacts and events need not know about automations. Names are in stored form: a tag
 * trimmed, an event name normalized.
 */
export type Trigger =
  | { readonly kind: "new_subscriber" }
  | { readonly kind: "tag_added"; readonly tag: string }
  | { readonly kind: "custom_event"; readonly eventName: string; readonly eventId: string };

type Detailed =
  | { readonly kind: "new_subscriber" }
  | { readonly kind: "tag_added"; readonly tag: string }
  | { readonly kind: "custom_event"; readonly eventName: string };

/** What distinguishes two triggers of one kind: the tag, or the event's name, or nothing. */
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
