import type { AttributeValue } from "#attributes/attribute.ts";
import type { Instant } from "#core/clock.ts";
import type { LiquidTemplate } from "#mail/liquid/liquid.ts";

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

export type ConditionOp = "equals" | "notEquals" | "contains" | "exists" | "greaterThan" | "lessThan";

/** One line of a condition. Ops that make no sense for the field are refused before this. */
export type ConditionTest =
  | { readonly on: "text"; readonly field: TextField; readonly op: ConditionOp; readonly value: string }
  | { readonly on: "score"; readonly op: ConditionOp; readonly value: number }
  | { readonly on: "tag"; readonly has: boolean; readonly tag: string }
  | { readonly on: "list"; readonly has: boolean; readonly listId: string }
  | {
      readonly on: "event";
      readonly has: boolean;
      readonly eventName: string;
      /** Days of 24 hours, back from now; null means any time. */
      readonly withinDays: number | null;
    }
  | { readonly on: "opened" | "clicked"; readonly has: boolean; readonly nodeId: string }
  | {
      readonly on: "property";
      /** Member names, from the event's `properties` downwards. */
      readonly path: readonly string[];
      readonly op: ConditionOp;
      readonly value: string | number | boolean | null;
    };

export type TextField = "status" | "email" | "firstName" | "lastName";

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
