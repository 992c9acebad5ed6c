import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import { planPatch, suppressionOnDelete } from "#contacts/contact-plan.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactStore } from "#contacts/store.ts";
import type { Clock } from "#core/time/clock.ts";
import { accept, notFound } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { absent } from "#core/request/patch.ts";
import { JOINING_STATUSES } from "#lists/joining.ts";
import type { ListStore } from "#lists/store.ts";
import type { SegmentService } from "#segments/service.ts";
import type { SentRules } from "#segments/segment-input.ts";
import { tagsAfter, type Action } from "./action.ts";
import type { Selection } from "./selection.ts";

/** One call works on at most this many contacts, about a second's work. For more, the client calls again. */
const CONTACTS_A_CALL = 1_000;
/** This many are written in one commit, which takes some milliseconds. */
const CONTACTS_A_WRITE = 50;
const PROBLEMS_SHOWN = 20;
const NO_FILTER = { status: null, tag: null, q: null } as const;

type Parts = {
  readonly contacts: Pick<ContactStore, "find" | "lists" | "change" | "delete">;
  readonly lists: Pick<ListStore, "find" | "addContacts" | "hasLeft" | "removeContact">;
  readonly segments: Pick<SegmentService, "matching">;
  readonly clock: Clock;
};

type How = {
  readonly origin: ConsentOrigin;
  /** Whether each contact is named, so that somebody who left a list by themselves may be put back on it. */
  readonly isNamed: boolean;
  /** Whether a gained tag starts automations. */
  readonly startsAutomations: boolean;
};

type Outcome = "changed" | "unchanged" | { readonly refusal: string };

export type ActionOutcome = {
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly changedIds: readonly string[];
  readonly problems: readonly { readonly id: string; readonly email: string; readonly message: string }[];
  readonly nextPosition: number | null;
};

export type SelectionService = ReturnType<typeof selectionService>;

/** @throws AppError NOT_FOUND for rules that name a list, segment or campaign of somebody else */
export function selectionService(parts: Parts) {
  const { contacts, lists, segments } = parts;

  const byIds = async (workspaceId: string, ids: readonly string[]): Promise<Contact[]> =>
    (await Promise.all(ids.map((id) => contacts.find(workspaceId, id)))).filter((found) => found !== null);

  return {
    /** Contacts that fit rules which are not saved as a segment, newest first. */
    search: (workspaceId: string, rules: SentRules, request: PageRequest): Promise<Page<Contact>> =>
      segments.matching(workspaceId, rules, NO_FILTER, request),

    /**
     * Does one action with at most 1,000 of the chosen contacts, newest first, by the rules of the action's
     * own route. Each contact is written separately: what was answered stays even if the next call never
     * comes, and a repeated call changes nothing more.
     * @throws AppError NOT_FOUND if there is no such list; then nothing was done
     */
    async act(
      workspaceId: string,
      selection: Selection,
      action: Action,
      { before, ...how }: Omit<How, "isNamed"> & { readonly before: number | null },
    ): Promise<ActionOutcome> {
      if ("listId" in action && (await lists.find(workspaceId, action.listId)) === null)
        throw notFound(`The list ${action.listId}`);
      const { items, nextPosition } =
        selection.kind === "ids"
          ? { items: await byIds(workspaceId, selection.contactIds), nextPosition: null }
          : await segments.matching(workspaceId, selection.sent, NO_FILTER, {
              limit: CONTACTS_A_CALL,
              before,
            });
      const done: [Contact, Outcome][] = [];
      const apply = actor(parts, workspaceId, action, { ...how, isNamed: selection.kind === "ids" });
      for (let from = 0; from < items.length; from += CONTACTS_A_WRITE) {
        const some = items.slice(from, from + CONTACTS_A_WRITE);
        const outcomes = await Promise.all(some.map(apply));
        for (const [i, contact] of some.entries()) done.push([contact, outcomes[i] ?? "unchanged"]);
      }
      return { ...summary(done), nextPosition };
    },
  };
}

function summary(done: readonly (readonly [Contact, Outcome])[]): Omit<ActionOutcome, "nextPosition"> {
  const changedIds = done.flatMap(([{ id }, outcome]) => (outcome === "changed" ? [id] : []));
  const problems = done.flatMap(([{ id, email }, outcome]) =>
    typeof outcome === "object" ? [{ id, email, message: outcome.refusal }] : [],
  );
  return {
    changed: changedIds.length,
    unchanged: done.length - changedIds.length - problems.length,
    refused: problems.length,
    changedIds,
    problems: problems.slice(0, PROBLEMS_SHOWN),
  };
}

/** Does the action with one contact. One that was deleted meanwhile is unchanged. */
function actor(parts: Parts, workspaceId: string, action: Action, how: How) {
  const { contacts, clock } = parts;
  switch (action.kind) {
    case "delete":
      return async ({ id }: Contact): Promise<Outcome> =>
        (await contacts.delete(workspaceId, id, suppressionOnDelete, clock.now())) ? "changed" : "unchanged";
    case "addTag":
    case "removeTag":
      return tagging(parts, workspaceId, action, how);
    case "addToList":
    case "removeFromList":
      return listing(parts, workspaceId, action, how);
  }
}

function tagging(
  { contacts, clock }: Parts,
  workspaceId: string,
  action: Extract<Action, { readonly tag: string }>,
  { origin, startsAutomations }: How,
) {
  return async ({ id, tags }: Contact): Promise<Outcome> => {
    if (tags.includes(action.tag) === (action.kind === "addTag")) return "unchanged";
    const at = clock.now();
    const written = await contacts.change(workspaceId, id, { setsAttributes: false }, (found) => {
      const after = tagsAfter(found.contact.tags, action);
      if (!after.ok) return after;
      const planned = planPatch(found, { ...NO_CHANGE, tags: after.value }, origin, at);
      return startsAutomations || !planned.ok ? planned : accept({ ...planned.value, triggers: [] });
    });
    if (written === null) return "unchanged";
    return written.ok ? "changed" : { refusal: written.refusal.message };
  };
}

const NO_CHANGE = {
  email: undefined,
  firstName: absent,
  lastName: absent,
  tags: undefined,
  status: undefined,
  consent: undefined,
  attributes: undefined,
} as const;

const LEFT = "They left this list by themselves. Add them by `contactIds` if they asked for it.";

function listing(
  { lists, contacts, clock }: Parts,
  workspaceId: string,
  { kind, listId }: Extract<Action, { readonly listId: string }>,
  { isNamed }: How,
) {
  return async ({ id, status }: Contact): Promise<Outcome> => {
    const isOn = (await contacts.lists(workspaceId, id))?.some((list) => list.id === listId) ?? false;
    if (kind === "removeFromList") {
      if (!isOn) return "unchanged";
      await lists.removeContact(workspaceId, listId, id, clock.now());
      return "changed";
    }
    if (isOn) return "unchanged";
    if (!JOINING_STATUSES.includes(status)) return { refusal: `${status} contacts do not join lists.` };
    if (!isNamed && (await lists.hasLeft(workspaceId, listId, id))) return { refusal: LEFT };
    const added = await lists.addContacts(workspaceId, listId, [id], () => null, clock.now());
    return added?.ok && added.value.added > 0 ? "changed" : "unchanged";
  };
}
