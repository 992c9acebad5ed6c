/**
 * People as plain values, and a database with the same people. A rule about the values and its query in the
 * database must give the same.
 */
import { Database } from "bun:sqlite";
import type { Attributes } from "#attributes/attribute.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Person } from "#segments/person.ts";
import type { Rule } from "#segments/rule.ts";
import { storedRule } from "#segments/rules-input.ts";
import { attributeWrites } from "#storage/sqlite/attributes/attribute-writes.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import { Population } from "#storage/sqlite/segments/sets/population.ts";
import { SegmentSets } from "#storage/sqlite/segments/sets/segment-sets.ts";
import { DAY } from "../common/durations.ts";

export const NOW = Date.parse("2026-11-22T12:00:00Z");

export const LISTS = ["list_a", "list_b"] as const;
export const CAMPAIGNS = ["cmp_a", "cmp_b"] as const;

export type SegmentWorld = {
  readonly sqlite: Database;
  readonly people: readonly Person[];
  /** Rules of saved segments, by id. */
  readonly segments: Readonly<Record<string, unknown>>;
  readonly scoring: readonly ScoringRule[];
  /**
   * The places of the people for whom the query finds that the rule holds. `reader`: the database, unless
   * another is given.
   */
  query(rule: Rule, reader?: Database): number[];
  ruleOf(segmentId: string): Rule | null;
  close(): void;
};

export type ScoringRule = {
  readonly event: string;
  readonly minValueCents: number | null;
  readonly points: number;
};

/** `valueCents` is in the properties, and in the event itself. */
export const scoreOf = (events: Person["events"], rules: readonly ScoringRule[]): number =>
  rules.reduce((sum, { event, minValueCents, points }) => {
    const earning = events.filter(
      ({ name, properties }) =>
        name === event && (minValueCents === null || Number(properties["cents"] ?? -1) >= minValueCents),
    );
    return sum + points * earning.length;
  }, 0);

/** A person with nothing: everything that conditions ask for is missing or empty. */
export const personWith = (more: {
  readonly contact?: Partial<Person["contact"]>;
  readonly attributes?: Attributes;
  readonly listIds?: readonly string[];
  readonly score?: number;
  readonly events?: Person["events"];
  readonly mails?: Person["mails"];
}): Person => ({
  contact: {
    email: "somebody@example.com",
    firstName: "",
    lastName: "",
    tags: [],
    status: "PENDING",
    createdAt: NOW - 100 * DAY,
    attributes: more.attributes ?? {},
    ...more.contact,
  },
  listIds: new Set(more.listIds ?? []),
  score: more.score ?? 0,
  events: more.events ?? [],
  mails: more.mails ?? [],
});

export const event = (
  name: string,
  daysAgo: number,
  properties: JsonObject = {},
): Person["events"][number] => ({
  name,
  at: NOW - daysAgo * DAY,
  properties,
});

/**
 * Everybody is in workspace 1. Workspace 2 has the same people again, so that a query that looks beyond its
 * workspace finds too many. The newer half of the events is not indexed yet.
 */
export function segmentWorld(
  people: readonly Person[],
  { segments = {}, scoring = [] }: Partial<Pick<SegmentWorld, "segments" | "scoring">> = {},
): SegmentWorld {
  const sqlite = new Database(":memory:", { strict: true });
  migrate(sqlite, MIGRATIONS, 0);
  sqlite.exec("BEGIN");
  const filled = [1, 2].map((workspace) => fill(sqlite, workspace, people, segments, scoring));
  // Person by person, so that both workspaces have events that are indexed and some that are not.
  for (const place of people.keys()) for (const fillNext of filled) fillNext(place);
  indexHalf(sqlite);
  sqlite.exec("COMMIT");
  return {
    sqlite,
    people,
    segments,
    scoring,
    query: (rule, reader = sqlite) =>
      new SegmentSets(new Population(reader, 1, NOW))
        .ofRule(rule)
        .descending(Number.MAX_SAFE_INTEGER, people.length)
        .map((seq) => seq - 1)
        .toReversed(),
    ruleOf: (id) => (Object.hasOwn(segments, id) ? storedRule(segments[id]) : null),
    close: () => sqlite.close(),
  };
}

function fill(
  sqlite: Database,
  workspace: number,
  people: readonly Person[],
  segments: SegmentWorld["segments"],
  scoring: readonly ScoringRule[],
): (place: number) => void {
  const run = (sql: string, ...values: (string | number | null)[]): number =>
    Number(sqlite.query(sql).run(...values).lastInsertRowid);
  // Ids are unique in the whole database: those of the second workspace are others.
  const own = (id: string): string => (workspace === 1 ? id : `${id}_${workspace}`);
  run("INSERT INTO workspaces (id, created_at) VALUES (?, 0)", `ws_${workspace}`);
  const lists = LISTS.map((id) =>
    run(
      "INSERT INTO lists (id, workspace, name, search, created_at) VALUES (?, ?, ?, '', 0)",
      own(id),
      workspace,
      id,
    ),
  );
  const mailings = CAMPAIGNS.map((id) => {
    const mailing = run(
      "INSERT INTO mailings (workspace, kind, source_id, phase, planned, created_at) VALUES (?, 'campaign', ?, 'finished', ?, 0)",
      workspace,
      own(id),
      people.length,
    );
    run(
      "INSERT INTO campaigns (id, workspace, name, subject, search, status, mailing, created_at) VALUES (?, ?, ?, '', '', 'SENT', ?, 0)",
      own(id),
      workspace,
      id,
      mailing,
    );
    return mailing;
  });
  const automation = run(
    "INSERT INTO mailings (workspace, kind, source_id, phase, planned, created_at) VALUES (?, 'automation', ?, 'sending', ?, 0)",
    workspace,
    own("auto_1"),
    people.length,
  );
  for (const [id, rules] of Object.entries(segments))
    run(
      "INSERT INTO segments (id, workspace, name, rules, created_at, updated_at) VALUES (?, ?, ?, ?, 0, 0)",
      own(id),
      workspace,
      id,
      JSON.stringify(rules),
    );
  for (const [at, { event: name, minValueCents, points }] of scoring.entries())
    run(
      "INSERT INTO scoring_rules (id, workspace, event, min_value_cents, points, created_at) VALUES (?, ?, ?, ?, ?, 0)",
      own(`sr_${at}`),
      workspace,
      name,
      minValueCents,
      points,
    );
  const write = attributeWrites(sqlite);
  const seqs = people.map(({ contact }, at) => {
    const { email, firstName, lastName, tags, status, createdAt, attributes } = contact;
    const seq = run(
      `INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      own(`ct_${at}`),
      workspace,
      email,
      firstName,
      lastName,
      JSON.stringify(tags),
      status,
      searchTextOf(email, firstName, lastName),
      createdAt,
    );
    write(workspace, [{ contact: seq, before: {}, after: attributes }]);
    return seq;
  });
  return (place) => fillPast(run, workspace, seqs[place]!, people[place]!, { lists, mailings, automation });
}

function indexHalf(sqlite: Database): void {
  const { last } = sqlite.query<{ last: number | null }, []>("SELECT max(seq) AS last FROM events").get()!;
  const through = Math.floor((last ?? 0) / 2);
  sqlite.exec(`DELETE FROM named_events; UPDATE event_index SET through = ${through};`);
  // Some without their properties, as those with long ones are.
  sqlite.exec(
    `INSERT INTO named_events SELECT workspace, name, seq, contact, created_at, value_cents, iif(seq % 3 = 0, NULL, properties)
     FROM events`,
  );
  sqlite.exec(
    `DELETE FROM contact_events; INSERT INTO contact_events SELECT contact, seq, name, value_cents FROM events;
     INSERT INTO record_counts SELECT workspace, 'event', name, count(*) FROM events GROUP BY workspace, name;
     INSERT INTO record_counts SELECT workspace, 'event', '', count(*) FROM events GROUP BY workspace`,
  );
}

function fillPast(
  run: (sql: string, ...values: (string | number | null)[]) => number,
  workspace: number,
  contact: number,
  { contact: { email, status }, listIds, events, mails }: Person,
  {
    lists,
    mailings,
    automation,
  }: { lists: readonly number[]; mailings: readonly number[]; automation: number },
): void {
  for (const [at, id] of LISTS.entries())
    if (listIds.has(id))
      run(
        "INSERT INTO list_members (list, status, contact, added_at) VALUES (?, ?, ?, 0)",
        lists[at]!,
        status,
        contact,
      );
  for (const { name, at, properties } of events)
    run(
      "INSERT INTO events (id, workspace, name, contact, properties, value_cents, created_at) VALUES ('ev', ?, ?, ?, ?, ?, ?)",
      workspace,
      name,
      contact,
      JSON.stringify(properties),
      typeof properties["cents"] === "number" ? properties["cents"] : null,
      at,
    );
  // Everybody also had mail of an automation, which belongs to no campaign.
  run(
    "INSERT INTO deliveries (mailing, contact, address, state, settled_at, opened_at, clicked_at) VALUES (?, ?, ?, 'sent', ?, ?, ?)",
    automation,
    contact,
    email,
    NOW,
    NOW,
    NOW,
  );
  for (const [at, id] of CAMPAIGNS.entries())
    for (const [visit, mail] of mails.filter(({ mailId }) => mailId === id).entries())
      run(
        `INSERT INTO deliveries (mailing, contact, address, visit, state, settled_at, opened_at, clicked_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        mailings[at]!,
        contact,
        email,
        visit,
        mail.receivedAt === null ? "failed" : "sent",
        mail.receivedAt ?? NOW,
        mail.openedAt,
        mail.clickedAt,
      );
}
