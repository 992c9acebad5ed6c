import { isoOf } from "#core/time/iso.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { isOut, type Contact } from "#contacts/contact.ts";
import { shownContact } from "#contacts/shown-contact.ts";
import { parseTags } from "#contacts/tags.ts";
import { barredBy } from "#deliveries/eligibility.ts";
import type { Facts } from "./facts.ts";
import type { Action } from "#automations/flow/flow-step.ts";
import { attributeEffect } from "./attribute-effect.ts";
import type { Effect, RunIdentity, RunState, WebhookCall } from "./step-outcome.ts";

/** What an action depends on; `facts` has what it needs. */
export type ActionInput = {
  readonly run: RunIdentity;
  readonly state: RunState;
  readonly facts: Facts;
  readonly now: Instant;
};

/** The result of an action for this contact. */
export type Performance =
  | { readonly kind: "effects"; readonly effects: readonly Effect[] }
  | { readonly kind: "webhook"; readonly call: WebhookCall }
  | { readonly kind: "impossible"; readonly message: string };

const impossible = (why: string): Performance => ({ kind: "impossible", message: `cannot run: ${why}` });
const effects = (...all: Effect[]): Performance => ({ kind: "effects", effects: all });

/**
 * The changes that an action makes, given the facts. An effect that would change nothing is left out, so that it
 * triggers nothing. Mail goes only to SUBSCRIBED contacts who are not suppressed; for all others the step is
 * skipped. A contact who opted out or bounced joins no list, and nobody one that they left by themselves. The ledger
 * checks all of this again when the mail goes out. Who opted out already is unsubscribed once more, because a
 * confirmation link may be on its way to them: it must not bring them back.
 */
export function performAction(action: Action, input: ActionInput): Performance {
  const { state, facts } = input;
  const { contact } = facts;
  switch (action.action) {
    case "send_email": {
      const { subject, body } = action;
      const { currentNodeId: nodeId, steps: execution } = state;
      return mayBeMailed(facts)
        ? effects({ kind: "sendEmail", nodeId, execution, subject, body })
        : effects();
    }
    case "add_tag":
      return addTag(contact, action.tag);
    case "remove_tag":
      return contact.tags.includes(action.tag) ? effects({ kind: "removeTag", tag: action.tag }) : effects();
    case "add_to_list": {
      const { listId } = action;
      const staysOff = isOut(contact.status) || facts.leftListIds.has(listId);
      return staysOff || facts.memberListIds.has(listId) ? effects() : effects({ kind: "addToList", listId });
    }
    case "remove_from_list": {
      const { listId } = action;
      return facts.memberListIds.has(listId) ? effects({ kind: "removeFromList", listId }) : effects();
    }
    case "set_field": {
      if (action.field === "attributes") return setAttribute(action, facts);
      const { field, value } = action;
      return contact[field] === value ? effects() : effects({ kind: "setField", field, value });
    }
    case "unsubscribe":
      return contact.status === "BOUNCED" ? effects() : effects({ kind: "unsubscribe" });
    case "webhook":
      return { kind: "webhook", call: webhookCall(action.url, input) };
  }
}

const mayBeMailed = ({ contact, suppression }: Facts): boolean =>
  barredBy({ kind: "automation", status: contact.status, suppression, domainBlocked: false }) === null;

function addTag({ tags }: Contact, tag: string): Performance {
  if (tags.includes(tag)) return effects();
  const after = parseTags([...tags, tag]);
  return after.ok ? effects({ kind: "addTag", tag }) : impossible(after.refusal.message);
}

function setAttribute(action: Parameters<typeof attributeEffect>[0], facts: Facts): Performance {
  const effect = attributeEffect(action, facts);
  if (!effect.ok) return impossible(effect.refusal.message);
  return effect.value === null ? effects() : effects(effect.value);
}

function webhookCall(url: string, { state, run, facts, now }: ActionInput): WebhookCall {
  const { currentNodeId: nodeId, steps } = state;
  return {
    kind: "webhook",
    nodeId,
    messageId: `msg_${run.enrollmentId}_${steps}`,
    url,
    payload: {
      type: "automation.webhook",
      timestamp: isoOf(now),
      data: { ...run, nodeId, contact: shownContact(facts.contact), event: eventPayload(facts) },
    },
  };
}

function eventPayload({ event }: Facts): JsonObject | null {
  if (event === null) return null;
  const { createdAt, ...rest } = event;
  return { ...rest, createdAt: isoOf(createdAt) };
}
