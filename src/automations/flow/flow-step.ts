import type { AttributeValue } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";
import type { LiquidTemplate } from "#mail/liquid/liquid.ts";
import type { Condition, PropertyTest } from "#segments/rule.ts";

/** What one node does, read from its data by `node.ts` (docs/decisions.md "Automations"). */
export type FlowStep =
  | ({ readonly type: "trigger" } & TriggerStep)
  | { readonly type: "wait"; readonly wait: Wait }
  | { readonly type: "condition"; readonly match: "all" | "any"; readonly tests: readonly ConditionTest[] }
  | { readonly type: "action"; readonly action: Action }
  | { readonly type: "end" };

/** What lets contacts in, and whether a contact who was in before may enter again. */
export type TriggerStep = { readonly on: TriggerMatch; readonly reenroll: Reenroll };

export type TriggerMatch =
  | { readonly kind: "new_subscriber" }
  | { readonly kind: "tag_added"; readonly tag: string }
  | { readonly kind: "custom_event"; readonly eventName: string };

export type Reenroll = "once" | "each_time";

export type Wait =
  | { readonly kind: "for"; readonly amount: number; readonly unit: WaitUnit }
  | { readonly kind: "until"; readonly at: Instant };

export type WaitUnit = "minutes" | "hours" | "days" | "weeks";

/**
 * One line of a condition: a condition of segments (`mailId` is the node of a mail), or a test of a property
 * of the event that started the run. Ops that make no sense for the field are refused before this.
 */
export type ConditionTest = Condition | ({ readonly on: "property" } & PropertyTest);

export type Action =
  | { readonly action: "send_email"; readonly subject: string; readonly body: MailBody }
  | { readonly action: "add_tag" | "remove_tag"; readonly tag: string }
  | { readonly action: "add_to_list" | "remove_from_list"; readonly listId: string }
  | { readonly action: "set_field"; readonly field: NameField; readonly value: string }
  | {
      readonly action: "set_field";
      readonly field: "attributes";
      readonly name: string;
      readonly setting: AttributeSetting;
    }
  | { readonly action: "unsubscribe" }
  | { readonly action: "webhook"; readonly url: string };

export type ActionName = Action["action"];

/** A Liquid template as the author wrote it. */
export type MailBody = { readonly kind: "html" | "mjml"; readonly source: string };

/** The value that `set_field` gives an attribute: a template that was read, or the value; null clears it. */
export type AttributeSetting =
  | { readonly kind: "liquid"; readonly source: string; readonly template: LiquidTemplate }
  | { readonly kind: "value"; readonly value: AttributeValue | null };

export type NameField = "firstName" | "lastName";
