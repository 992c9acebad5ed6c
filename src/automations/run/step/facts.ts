import type { AttributeHolders } from "#attributes/merge.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Contact } from "#contacts/contact.ts";
import type { RecordedEvent } from "#events/event.ts";
import type { Person } from "#segments/person.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { Action, ConditionTest, FlowStep } from "#automations/flow/flow-step.ts";

/** Everything a step may read, as plain data. Facts that `factsNeeded` does not name may be left empty. */
export type Facts = {
  readonly contact: Contact;
  readonly suppression: SuppressionReason | null;
  /** The event that started this run; null for the other triggers, and if the event was deleted. */
  readonly event: RecordedEvent | null;
  /** The lists of `FactsNeeded.listIds` that the workspace has. */
  readonly knownListIds: ReadonlySet<string>;
  /** Those of them that the contact is on. */
  readonly memberListIds: ReadonlySet<string>;
  /** Those that the contact left by themselves. */
  readonly leftListIds: ReadonlySet<string>;
  readonly score: number;
  /** When the contact's latest event of each name was recorded, by normalized name. */
  readonly lastEventAt: ReadonlyMap<string, Instant>;
  /**
   * Mail nodes of this automation whose mail the contact opened; machines do not count. Where this run has sent the
   * mail, only its last one counts: a run asks about what it sent itself. Otherwise the mails of all runs count. Storage
   * decides whether a click counts as an open too.
   */
  readonly openedNodeIds: ReadonlySet<string>;
  readonly clickedNodeIds: ReadonlySet<string>;
  /** How many contacts of the workspace have each attribute. */
  readonly attributeHolders: AttributeHolders;
};

/** What storage must look up for one step, in addition to the contact and the event that started the run. */
export type FactsNeeded = {
  readonly suppression: boolean;
  readonly listIds: readonly string[];
  readonly score: boolean;
  readonly eventNames: readonly string[];
  /** Mail nodes whose opens and clicks matter. */
  readonly mailNodeIds: readonly string[];
  readonly attributeHolders: boolean;
};

const NOTHING: FactsNeeded = {
  suppression: false,
  listIds: [],
  score: false,
  eventNames: [],
  mailNodeIds: [],
  attributeHolders: false,
};

/** The facts that a step reads. */
export function factsNeeded(step: FlowStep): FactsNeeded {
  switch (step.type) {
    case "action":
      return neededByAction(step.action);
    case "condition":
      return neededByTests(step.tests);
    case "trigger":
    case "wait":
    case "end":
      return NOTHING;
  }
}

function neededByAction(action: Action): FactsNeeded {
  switch (action.action) {
    case "send_email":
      return { ...NOTHING, suppression: true };
    case "add_to_list":
    case "remove_from_list":
      return { ...NOTHING, listIds: [action.listId] };
    case "set_field":
      return action.field === "attributes" ? { ...NOTHING, attributeHolders: true } : NOTHING;
    case "add_tag":
    case "remove_tag":
    case "unsubscribe":
    case "webhook":
      return NOTHING;
  }
}

function neededByTests(tests: readonly ConditionTest[]): FactsNeeded {
  return {
    ...NOTHING,
    listIds: tests.flatMap((test) => (test.on === "list" ? [test.listId] : [])),
    score: tests.some(({ on }) => on === "score"),
    eventNames: tests.flatMap((test) => (test.on === "event" ? [test.name] : [])),
    mailNodeIds: tests.flatMap((test) => ("mailId" in test && test.mailId !== null ? [test.mailId] : [])),
  };
}

/**
 * What one test of a condition asks about the contact. The latest event of a name stands for all of them: conditions
 * only ask whether there is one. Nothing else is given, so that many tests do not search what all of them ask for.
 */
export function personOf(facts: Facts, test: ConditionTest, now: Instant): Person {
  const { contact, memberListIds: listIds, score } = facts;
  return {
    contact,
    listIds,
    score,
    events: test.on === "event" ? eventsNamed(test.name, facts, now) : [],
    mails: "mailId" in test && test.mailId !== null ? mailsOf(test.mailId, facts, now) : [],
  };
}

/** An event from before the clock was set back may lie in the future. */
function eventsNamed(name: string, { lastEventAt }: Facts, now: Instant): Person["events"] {
  const at = lastEventAt.get(name);
  return at === undefined ? [] : [{ name, at: Math.min(at, now), properties: {} }];
}

const mailsOf = (mailId: string, { openedNodeIds, clickedNodeIds }: Facts, now: Instant): Person["mails"] => [
  {
    mailId,
    receivedAt: null,
    openedAt: openedNodeIds.has(mailId) ? now : null,
    clickedAt: clickedNodeIds.has(mailId) ? now : null,
  },
];
