import type { Database } from "bun:sqlite";
import type { AttributeHolders } from "#attributes/merge.ts";
import type { Facts, FactsNeeded } from "#automations/run/step/facts.ts";
import type { Contact } from "#contacts/contact.ts";
import type { RecordedEvent } from "#events/event.ts";
import { HAS_LEFT } from "#storage/common/lists/has-left.ts";
import { attributeHolders } from "#storage/sqlite/attributes/attribute-store.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { EVENT_COLUMNS, eventOf, type EventRow } from "#storage/sqlite/events/event-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { EVENTS_OF_PIECE, type EventPiece } from "#storage/sqlite/events/event-sums.ts";
import { scoreReader } from "#storage/sqlite/scoring/score.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { automationMailings, events, lists } from "#storage/sqlite/schema/schema.ts";

/**
 * Row numbers of the run's contact, automation and workspace. `enrollment` is the run itself, null in a simulation;
 * `event` is the one that started it.
 */
export type Whose = {
  readonly enrollment: number | null;
  readonly workspace: number;
  readonly automation: number;
  readonly contact: number;
  readonly event: number | null;
};

const NONE: ReadonlySet<string> = new Set();
const NO_HOLDERS: AttributeHolders = new Map();
const NO_EVENTS: Facts["lastEventAt"] = new Map();
const NO_LISTS = { knownListIds: NONE, memberListIds: NONE, leftListIds: NONE };
const UNSEEN = { openedNodeIds: NONE, clickedNodeIds: NONE };
const NO_IDS: readonly string[] = [];

/**
 * The facts for a step, read in the transaction that performs it: a few look-ups, only for what is needed. `about` may
 * throw `LongRead` (events/event-sums.ts).
 */
export function factsReader(database: SqliteDatabase) {
  const { sqlite } = database;
  const byContact = sqlite.query<ContactRow, [number]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.seq = ?`,
  );
  const byEvent = sqlite.query<EventRow, [number]>(
    `SELECT ${EVENT_COLUMNS}, c.id AS contactId FROM events AS e CROSS JOIN contacts AS c ON c.seq = e.contact WHERE e.seq = ?`,
  );
  const membershipOf = membershipReader(sqlite);
  const lastEventAtOf = lastEventReader(database);
  const mailSeenBy = mailSeenReader(sqlite);
  const { suppressionOf } = consentWrites(sqlite);
  const scoreOf = scoreReader(database);
  const holdersIn = attributeHolders(sqlite);

  const contact = (seq: number): Contact | null => {
    const row = byContact.get(seq);
    return row && contactOf(row);
  };
  const event = (seq: number | null): RecordedEvent | null => {
    const row = seq === null ? null : byEvent.get(seq);
    return row && eventOf(row);
  };

  /** All `needed` facts about a contact that was already read. */
  const about = (whose: Whose, needed: FactsNeeded | null, found: Contact): Facts => ({
    contact: found,
    suppression: needed?.suppression ? suppressionOf(whose.workspace, found.email) : null,
    event: event(whose.event),
    ...membershipOf(whose, needed?.listIds ?? NO_IDS),
    score: needed?.score ? scoreOf(whose.workspace, whose.contact) : 0,
    lastEventAt: lastEventAtOf(whose.contact, needed?.eventNames ?? NO_IDS),
    ...mailSeenBy(whose, needed?.mailNodeIds ?? NO_IDS),
    attributeHolders: needed?.attributeHolders ? holdersIn(whose.workspace) : NO_HOLDERS,
  });

  return { contact, event, about };
}

/** Which of these lists exist, which of them the contact is on, and which they left by themselves. */
function membershipReader(sqlite: Database) {
  const knownLists = sqlite.query<
    Row<typeof lists, "id"> & { isMember: number; hasLeft: number },
    [string, number, number]
  >(
    `SELECT l.id, m.contact IS NOT NULL AS isMember, ${HAS_LEFT} AS hasLeft
     FROM json_each(?1) CROSS JOIN lists AS l ON l.id = json_each.value
     LEFT JOIN list_members AS m ON m.contact = ?3 AND m.list = l.seq LEFT JOIN contacts AS c ON c.seq = ?3
     WHERE l.workspace = ?2`,
  );
  return (whose: Whose, ids: readonly string[]) => {
    if (ids.length === 0) return NO_LISTS;
    const rows = knownLists.all(JSON.stringify(ids), whose.workspace, whose.contact);
    return {
      knownListIds: new Set(rows.map(({ id }) => id)),
      memberListIds: new Set(rows.filter(({ isMember }) => isMember === 1).map(({ id }) => id)),
      leftListIds: new Set(rows.filter(({ hasLeft }) => hasLeft === 1).map(({ id }) => id)),
    };
  };
}

/** When the contact's last event of each name was; a missing name never happened. May throw `LongRead`. */
function lastEventReader({ sqlite, eventSums }: SqliteDatabase) {
  const latest = sqlite.query<
    { name: Value<typeof events, "name">; lastAt: Value<typeof events, "createdAt"> },
    EventPiece & { readonly names: string }
  >(
    `SELECT last.name, e.created_at AS lastAt FROM (
       SELECT own.name, max(own.seq) AS seq FROM ${EVENTS_OF_PIECE} AS own
       WHERE own.name IN (SELECT value FROM json_each($names)) GROUP BY own.name
     ) AS last CROSS JOIN events AS e ON e.seq = last.seq`,
  );
  return (contact: number, wanted: readonly string[]): Facts["lastEventAt"] => {
    if (wanted.length === 0) return NO_EVENTS;
    const names = JSON.stringify(wanted);
    return eventSums.of(contact, {
      key: `last ${names}`,
      nothing: NO_EVENTS,
      add(known, piece) {
        const found = latest.all({ ...piece, names });
        return new Map([
          ...known,
          ...found.map(({ name, lastAt }) => [name, Math.max(lastAt, known.get(name) ?? lastAt)] as const),
        ]);
      },
    });
  };
}

type SeenRow = Row<typeof automationMailings, "node"> & { opened: number; clicked: number };

/** The mails of the automation in which the contact has opened or clicked something (`Facts`). */
function mailSeenReader(sqlite: Database) {
  const own = sqlite.query<SeenRow, [number, string]>(
    `SELECT n.node, d.opened_at IS NOT NULL OR d.clicked_at IS NOT NULL AS opened, d.clicked_at IS NOT NULL AS clicked
     FROM automation_deliveries AS s CROSS JOIN deliveries AS d ON d.seq = s.delivery
     CROSS JOIN automation_mailings AS n ON n.mailing = d.mailing
     WHERE s.enrollment = ? AND n.node IN (SELECT value FROM json_each(?)) ORDER BY s.execution`,
  );
  const engagement = sqlite.query<SeenRow, [number, number, string]>(
    `SELECT n.node, max(d.opened_at IS NOT NULL OR d.clicked_at IS NOT NULL) AS opened, max(d.clicked_at IS NOT NULL) AS clicked
     FROM deliveries AS d CROSS JOIN automation_mailings AS n ON n.mailing = d.mailing
     WHERE d.contact = ?2 AND n.automation = ?1 AND n.node IN (SELECT value FROM json_each(?3)) GROUP BY n.node`,
  );
  return (whose: Whose, nodeIds: readonly string[]) => {
    if (nodeIds.length === 0) return UNSEEN;
    const sent = whose.enrollment === null ? [] : own.all(whose.enrollment, JSON.stringify(nodeIds));
    // The last one of each node.
    const lastOf = new Map(sent.map((row) => [row.node, row]));
    const others = nodeIds.filter((id) => !lastOf.has(id));
    const ofAnyRun =
      others.length === 0 ? [] : engagement.all(whose.automation, whose.contact, JSON.stringify(others));
    const rows = [...lastOf.values(), ...ofAnyRun];
    const those = (seen: "opened" | "clicked") =>
      new Set(rows.filter((row) => row[seen] === 1).map(({ node }) => node));
    return { openedNodeIds: those("opened"), clickedNodeIds: those("clicked") };
  };
}
