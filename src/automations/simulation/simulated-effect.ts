import type { Facts } from "#automations/run/step/facts.ts";
import { changedContact } from "#automations/run/step/changed-contact.ts";
import type { Effect } from "#automations/run/step/step-outcome.ts";

/** The facts after an effect; nothing is written. @param opens whether a mail that is sent is opened */
export function applyEffect(facts: Facts, effect: Effect, opens: boolean): Facts {
  const { contact, memberListIds } = facts;
  switch (effect.kind) {
    case "sendEmail":
      return sentAnew(facts, effect.nodeId, opens);
    case "addTag":
    case "removeTag":
    case "setField":
    case "setAttribute":
      return { ...facts, contact: changedContact(contact, effect) };
    case "addToList":
      return { ...facts, memberListIds: new Set([...memberListIds, effect.listId]) };
    case "removeFromList":
      return { ...facts, memberListIds: new Set([...memberListIds].filter((id) => id !== effect.listId)) };
    case "unsubscribe":
      return {
        ...facts,
        contact: { ...contact, status: "UNSUBSCRIBED" },
        suppression: facts.suppression ?? "UNSUBSCRIBED",
        memberListIds: new Set(),
      };
  }
}

/** From now on, conditions ask about this mail, and no more about those of earlier runs. */
function sentAnew(facts: Facts, nodeId: string, opens: boolean): Facts {
  const openedNodeIds = new Set(facts.openedNodeIds);
  const clickedNodeIds = new Set(facts.clickedNodeIds);
  clickedNodeIds.delete(nodeId);
  if (opens) openedNodeIds.add(nodeId);
  else openedNodeIds.delete(nodeId);
  return { ...facts, openedNodeIds, clickedNodeIds };
}

/** An effect as a sentence for a person. */
export function effectSentence(effect: Effect): string {
  switch (effect.kind) {
    case "sendEmail":
      return "sends a mail";
    case "addTag":
      return `gets the tag ${effect.tag}`;
    case "removeTag":
      return `loses the tag ${effect.tag}`;
    case "addToList":
      return `joins the list ${effect.listId}`;
    case "removeFromList":
      return `leaves the list ${effect.listId}`;
    case "setField":
      return `has ${effect.field} set to "${effect.value}"`;
    case "setAttribute":
      return effect.value === null
        ? `loses attributes.${effect.name}`
        : `has attributes.${effect.name} set to ${JSON.stringify(effect.value)}`;
    case "unsubscribe":
      return "is unsubscribed";
  }
}
