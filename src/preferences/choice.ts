import type { ConsentEntry, ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import { decideOnOptOut, mayChooseLists } from "#contacts/consent/consent.ts";
import type { Contact } from "#contacts/contact.ts";
import { fieldsOnly, type ContactWrite } from "#contacts/contact-plan.ts";
import type { Instant } from "#core/time/clock.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { storedText } from "#core/text/stored-text.ts";
import { isLongerThan } from "#core/text/text.ts";
import type { SuppressionReason } from "#suppression/reason.ts";

/** A public list, as a reader sees it. */
export type ChoosableList = {
  readonly id: string;
  /** Its public name, or its own where it has none. */
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
};

/** Who has the mailed address now, and what there is to choose. */
export type FoundReader = {
  readonly contact: Contact | null;
  readonly suppression: SuppressionReason | null;
  /** Public lists, oldest first. */
  readonly lists: readonly ChoosableList[];
};

/**
 * What a reader can do here. `chooses`: join and leave lists, correct the name, leave everything. `isOut`: no
 * marketing mail goes to the address, and the page does not change that; `canLeave` says whether opting out
 * would still write something.
 */
export type ReaderState =
  | { readonly kind: "chooses"; readonly contact: Contact }
  | { readonly kind: "isOut"; readonly canLeave: boolean };

export function readerState({ contact, suppression }: FoundReader): ReaderState {
  if (contact !== null && mayChooseLists({ current: contact.status, suppression }))
    return { kind: "chooses", contact };
  const optOut = decideOnOptOut({ current: contact?.status ?? null, suppression, hasWithdrawn: true });
  return { kind: "isOut", canLeave: optOut.consentEntry !== null || optOut.suppress !== null };
}

/** What was posted. An undefined name was not sent, and stays. */
export type Choice = {
  /** The boxes that were ticked. */
  readonly lists: ReadonlySet<string>;
  /** The boxes that the form showed; null if it does not say so. Then all public lists count. */
  readonly shown: ReadonlySet<string> | null;
  /** The boxes that were ticked when the form was shown; none if it does not say so. */
  readonly ticked: ReadonlySet<string>;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly leavesEverything: boolean;
};

/** The fields of the page's form. */
export const FIELDS = {
  lists: "lists",
  shown: "shown",
  ticked: "ticked",
  firstName: "firstName",
  lastName: "lastName",
  leave: "leave",
} as const;

export const LEAVE_EVERYTHING = "everything";

/**
 * Reads what was posted. Null: it has no field of this form, and changes nothing. (A browser always sends the
 * names, also where no box is ticked.) A name that is too long is not taken.
 */
export function readChoice(fields: ReadonlyMap<string, readonly string[]>): Choice | null {
  const leavesEverything = fields.get(FIELDS.leave)?.includes(LEAVE_EVERYTHING) ?? false;
  const others = Object.values(FIELDS).filter((name) => name !== FIELDS.leave);
  if (!leavesEverything && !others.some((name) => fields.has(name))) return null;
  const shown = fields.get(FIELDS.shown);
  return {
    lists: new Set(fields.get(FIELDS.lists)),
    shown: shown === undefined ? null : idsIn(shown),
    ticked: idsIn(fields.get(FIELDS.ticked) ?? []),
    firstName: nameIn(fields, FIELDS.firstName),
    lastName: nameIn(fields, FIELDS.lastName),
    leavesEverything,
  };
}

const idsIn = (values: readonly string[]): Set<string> => new Set(values.flatMap((ids) => ids.split(" ")));

function nameIn(fields: ReadonlyMap<string, readonly string[]>, field: string): string | undefined {
  const typed = fields.get(field)?.[0];
  if (typed === undefined) return undefined;
  const name = storedText(typed);
  return isLongerThan(name, NAME_CHARACTERS_MAX) ? undefined : name;
}

/** What a choice writes, in one transaction. */
export type ChoicePlan = {
  /** The contact with the new name; null where it stays. */
  readonly write: ContactWrite | null;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  /** One entry for each of these lists. */
  readonly entries: readonly ConsentEntry[];
};

/**
 * The differences between what was ticked and what is (docs/contract.md "What readers can choose"). Null: this
 * person may not choose, and nothing is written. No status changes, and no suppression.
 */
export function planChoice(
  found: FoundReader,
  choice: Choice,
  origin: ConsentOrigin,
  at: Instant,
): ChoicePlan | null {
  const state = readerState(found);
  if (state.kind === "isOut") return null;
  // Nobody leaves a list that became public after the page was shown: there was no box to tick.
  const asked = found.lists.filter(({ id }) => choice.shown === null || choice.shown.has(id));
  // A box that was ticked already is no new consent: in an older tab it stands for a list that was left meanwhile.
  const joins = asked
    .filter(({ id, isOn }) => !isOn && choice.lists.has(id) && !choice.ticked.has(id))
    .map(({ id }) => id);
  const leaves = asked.filter(({ id, isOn }) => isOn && !choice.lists.has(id)).map(({ id }) => id);
  const entry =
    (action: ConsentEntry["action"]) =>
    (listId: string): ConsentEntry => ({
      ...origin,
      action,
      listId,
      at,
    });
  return {
    write: renamed(state.contact, choice, at),
    joins,
    leaves,
    entries: [...joins.map(entry("GIVEN")), ...leaves.map(entry("WITHDRAWN"))],
  };
}

function renamed(contact: Contact, { firstName, lastName }: Choice, at: Instant): ContactWrite | null {
  const named = {
    ...contact,
    firstName: firstName ?? contact.firstName,
    lastName: lastName ?? contact.lastName,
  };
  if (named.firstName === contact.firstName && named.lastName === contact.lastName) return null;
  return fieldsOnly(named, at);
}
