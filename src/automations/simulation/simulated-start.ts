import type { Facts } from "#automations/run/step/facts.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Trigger } from "#core/trigger.ts";
import { pointsOf, type ScoringRule } from "#scoring/scoring-rule.ts";

type Start = {
  readonly properties: JsonObject;
  readonly rules: readonly ScoringRule[];
  readonly now: Instant;
};

/**
 * The facts once the trigger has happened, as a run finds them: the contact has the tag, the event is recorded and
 * counts in the score, and whoever was only waiting to confirm is a subscriber.
 */
export function started(facts: Facts, trigger: Trigger, { properties, rules, now }: Start): Facts {
  const { contact } = facts;
  switch (trigger.kind) {
    case "new_subscriber":
      return contact.status === "PENDING"
        ? { ...facts, contact: { ...contact, status: "SUBSCRIBED" } }
        : facts;
    case "tag_added":
      return contact.tags.includes(trigger.tag)
        ? facts
        : { ...facts, contact: { ...contact, tags: [...contact.tags, trigger.tag] } };
    case "custom_event": {
      const { eventName: name, eventId: id } = trigger;
      const ofEvent = rules.filter(({ event }) => event === name);
      const amount = { valueCents: null, currency: null };
      return {
        ...facts,
        event: { id, name, properties, ...amount, contactId: contact.id, createdAt: now },
        lastEventAt: new Map([...facts.lastEventAt, [name, now]]),
        score: facts.score + pointsOf(ofEvent, amount.valueCents),
      };
    }
  }
}
