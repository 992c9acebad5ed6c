import type { Facts, FactsNeeded } from "#automations/run/step/facts.ts";
import type { Contact } from "#contacts/contact.ts";
import type { RecordedEvent } from "#events/event.ts";
import { HAS_LEFT } from "#storage/common/lists/has-left.ts";
import { attributeHolders } from "#storage/postgres/attributes/attribute-store.ts";
import { reasonsOf } from "#storage/postgres/consent/suppression-writes.ts";
import { CONTACTS, contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { EVENTS, eventOf, type EventRow } from "#storage/postgres/events/event-row.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type {
  automationDeliveries,
  automationMailings,
  events,
  listMembers,
  lists,
} from "#storage/postgres/schema/schema.ts";
import { scoresOf } from "#storage/postgres/scoring/scoring-store.ts";

/**
 * Which contact is looked at, and for which facts. `contact`: its row number, 0 if there is no contact;
 * `enrollment`: that of the run, null in a simulation.
 */
export type Asked = {
  readonly enrollment: number | null;
  readonly contact: number;
  readonly person: Contact;
  readonly event: RecordedEvent | null;
  readonly needs: FactsNeeded | null;
};

/** Row numbers of the workspace and automation. */
export type Of = { readonly workspace: number; readonly automation: number };

const MEMBERS = `SELECT l.id, m.contact FROM lists AS l
  LEFT JOIN list_members AS m ON m.list = l.seq AND m.contact = ANY($3::int8[])
  WHERE l.workspace = $1 AND l.id = ANY($2::text[])`;
const LEFT = `SELECT l.id, c.seq AS contact FROM lists AS l CROSS JOIN contacts AS c
  WHERE l.workspace = $1 AND l.id = ANY($2::text[]) AND c.seq = ANY($3::int8[]) AND ${HAS_LEFT}`;
const LAST_EVENTS = `SELECT contact, name, max(created_at) AS last_at FROM events
  WHERE workspace = $1 AND name = ANY($2::text[]) AND contact = ANY($3::int8[]) GROUP BY contact, name`;
const SEEN_IN_RUN = `SELECT DISTINCT ON (s.enrollment, n.node) s.enrollment, n.node,
    d.opened_at IS NOT NULL OR d.clicked_at IS NOT NULL AS opened, d.clicked_at IS NOT NULL AS clicked
  FROM automation_deliveries AS s JOIN deliveries AS d ON d.seq = s.delivery
  JOIN automation_mailings AS n ON n.mailing = d.mailing
  WHERE s.enrollment = ANY($1::int8[]) AND n.node = ANY($2::text[])
  ORDER BY s.enrollment, n.node, s.execution DESC`;
const SEEN = `SELECT d.contact, n.node, bool_or(d.opened_at IS NOT NULL OR d.clicked_at IS NOT NULL) AS opened,
    bool_or(d.clicked_at IS NOT NULL) AS clicked
  FROM deliveries AS d JOIN automation_mailings AS n ON n.mailing = d.mailing
  WHERE n.automation = $1 AND n.node = ANY($2::text[]) AND d.contact = ANY($3::int8[]) GROUP BY d.contact, n.node`;

/** Contacts by row number. */
export async function contactsOf(
  { rows }: Session,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Contact>> {
  if (seqs.length === 0) return new Map();
  const found = await rows<ContactRow>(`${CONTACTS} WHERE c.seq = ANY($1::int8[])`, [seqs]);
  return new Map(found.map((row) => [row.seq, contactOf(row)]));
}

/** Events by row number. */
export async function eventsOf(
  { rows }: Session,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, RecordedEvent>> {
  if (seqs.length === 0) return new Map();
  const found = await rows<EventRow>(`${EVENTS} WHERE e.seq = ANY($1::int8[])`, [seqs]);
  return new Map(found.map((row) => [row.seq, eventOf(row)]));
}

/** Facts about several contacts, in the form that a step needs. All share one map of attribute holders. */
export async function factsOf(
  session: Session,
  of: Of,
  asked: readonly Asked[],
): Promise<{ readonly holders: Map<string, number>; about(one: Asked): Facts }> {
  const wants = <T>(what: (needs: FactsNeeded) => readonly T[]): T[] => [
    ...new Set(asked.flatMap(({ needs }) => (needs === null ? [] : what(needs)))),
  ];
  const those = (what: (needs: FactsNeeded) => boolean): Asked[] =>
    asked.filter(({ needs }) => needs !== null && what(needs));
  const barred = those(({ suppression }) => suppression).map(({ person }) => person.email);
  const scored = those(({ score }) => score).map(({ contact }) => contact);
  const contacts = asked.map(({ contact }) => contact);
  const [lists, reasons, scores, lastEvents, seen, holders] = await Promise.all([
    membershipsOf(
      session,
      of.workspace,
      wants(({ listIds }) => listIds),
      contacts,
    ),
    barred.length === 0 ? new Map() : reasonsOf(session, of.workspace, barred),
    scored.length === 0 ? new Map<number, number>() : scoresOf(session, of.workspace, scored),
    lastEventsOf(
      session,
      of.workspace,
      wants(({ eventNames }) => eventNames),
      contacts,
    ),
    mailsSeen(
      session,
      of.automation,
      wants(({ mailNodeIds }) => mailNodeIds),
      asked,
    ),
    those((needs) => needs.attributeHolders).length === 0
      ? new Map<string, number>()
      : attributeHolders(session, of.workspace),
  ]);
  return {
    holders,
    about: ({ enrollment, contact, person, event, needs }) => ({
      contact: person,
      event,
      suppression: needs?.suppression ? (reasons.get(person.email) ?? null) : null,
      ...lists(contact, needs?.listIds ?? []),
      score: scores.get(contact) ?? 0,
      lastEventAt: lastEvents(contact, needs?.eventNames ?? []),
      ...seen({ enrollment, contact }, needs?.mailNodeIds ?? []),
      attributeHolders: holders,
    }),
  };
}

type MembershipFacts = Pick<Facts, "knownListIds" | "memberListIds" | "leftListIds">;
type MemberRow = Row<typeof lists, "id"> & { readonly contact: number | null };
type LastEventRow = Row<typeof events, "contact" | "name"> & { readonly lastAt: number };
type SeenRow = Row<typeof automationMailings, "node"> & {
  readonly opened: boolean;
  readonly clicked: boolean;
};
type SeenInRun = SeenRow & Row<typeof automationDeliveries, "enrollment">;
type SeenByContact = SeenRow & Row<typeof listMembers, "contact">;

/** Which of these lists exist, which of them a contact is on, and which they left by themselves. */
async function membershipsOf(
  { rows }: Session,
  workspace: number,
  ids: readonly string[],
  contacts: readonly number[],
) {
  const values = [workspace, ids, contacts];
  const [found, left] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([rows<MemberRow>(MEMBERS, values), rows<MemberRow>(LEFT, values)]);
  const known = new Set(found.map(({ id }) => id));
  const byContact = (of: readonly MemberRow[]) => Map.groupBy(of, ({ contact }) => contact);
  const [membersBy, leftBy] = [byContact(found), byContact(left)];
  return (contact: number, wanted: readonly string[]): MembershipFacts => {
    const those = (of: ReturnType<typeof byContact>) => {
      const theirs = new Set(of.get(contact)?.map(({ id }) => id));
      return new Set(wanted.filter((id) => theirs.has(id)));
    };
    return {
      knownListIds: new Set(wanted.filter((id) => known.has(id))),
      memberListIds: those(membersBy),
      leftListIds: those(leftBy),
    };
  };
}

/** When a contact's last event of each name was; a missing name never happened. */
async function lastEventsOf(
  { rows }: Session,
  workspace: number,
  names: readonly string[],
  contacts: readonly number[],
) {
  const found = names.length === 0 ? [] : await rows<LastEventRow>(LAST_EVENTS, [workspace, names, contacts]);
  const eventsOfOne = Map.groupBy(found, ({ contact }) => contact);
  return (contact: number, wanted: readonly string[]): Facts["lastEventAt"] => {
    const asked = new Set(wanted);
    return new Map(
      eventsOfOne
        .get(contact)
        ?.filter(({ name }) => asked.has(name))
        .map(({ name, lastAt }) => [name, lastAt]),
    );
  };
}

/** The mails of the automation in which a contact has opened or clicked something (`Facts`). */
async function mailsSeen(
  { rows }: Session,
  automation: number,
  nodes: readonly string[],
  asked: readonly Asked[],
) {
  const runs = nodes.length === 0 ? [] : asked.flatMap(({ enrollment }) => enrollment ?? []);
  const inRuns = runs.length === 0 ? [] : await rows<SeenInRun>(SEEN_IN_RUN, [runs, nodes]);
  const seenIn = Map.groupBy(inRuns, ({ enrollment }) => enrollment);
  const ownOf = ({ enrollment }: Pick<Asked, "enrollment">) => seenIn.get(enrollment ?? 0) ?? [];
  const contacts = asked.flatMap((one) => {
    const own = new Set(ownOf(one).map(({ node }) => node));
    return (one.needs?.mailNodeIds ?? []).every((id) => own.has(id)) ? [] : [one.contact];
  });
  const found = contacts.length === 0 ? [] : await rows<SeenByContact>(SEEN, [automation, nodes, contacts]);
  const seenBy = Map.groupBy(found, ({ contact }) => contact);
  return (
    one: Pick<Asked, "enrollment" | "contact">,
    wanted: readonly string[],
  ): Pick<Facts, "openedNodeIds" | "clickedNodeIds"> => {
    const rowOf = new Map<string, SeenRow>();
    for (const row of [...(seenBy.get(one.contact) ?? []), ...ownOf(one)]) rowOf.set(row.node, row);
    const nodesOf = (how: "opened" | "clicked") => new Set(wanted.filter((id) => rowOf.get(id)?.[how]));
    return { openedNodeIds: nodesOf("opened"), clickedNodeIds: nodesOf("clicked") };
  };
}
