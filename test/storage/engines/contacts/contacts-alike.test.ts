import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { planPatch, planPost, suppressionOnDelete } from "#contacts/contact-plan.ts";
import type { Upsert } from "#contacts/store.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import { strongerReason } from "#suppression/reason.ts";
import { absent, set, type Patch } from "#core/request/patch.ts";
import type { Page } from "#core/request/page.ts";
import { newList } from "../../../support/people/lists.ts";
import { dice, type Dice } from "../../../support/common/dice.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const ORIGIN = { source: "api", formId: null, clientAddress: null, userAgent: null } as const;
const STATUSES: (ContactStatus | undefined)[] = [
  "PENDING",
  "SUBSCRIBED",
  "UNSUBSCRIBED",
  "BOUNCED",
  undefined,
];
const CONSENTS = ["explicit", "declined", undefined, undefined] as const;
const TAGS = [[], ["vip"], ["a b", 'quote"'], ["vip", "a b"]];
const NAMES = ["Äne", "100%", "o_O", "bob\nline", ""];
const ATTRIBUTES = [
  undefined,
  { city: "KÖLN" },
  { city: null },
  { n: 1e21, yes: true },
  { list: ["Ä", "b"], n: null },
  { x1: "" },
];
const QUERIES = ["", "%", "_", "ÄNE", "exa", "b\nl", "nobody", "a3", "\0", "2@"];

/** What a sequence of requests leaves behind, in words that both engines understand. */
const LEFT = {
  contacts: `SELECT c.id || ' ' || c.email || ' ' || c.first_name || ' ' || c.last_name || ' ' || c.status || ' ' || c.search || c.created_at FROM contacts AS c ORDER BY c.seq`,
  tags: "SELECT tag || ' ' || status || ' ' || (SELECT id FROM contacts WHERE seq = contact) AS t FROM contact_tags ORDER BY contact, tag",
  members:
    "SELECT (SELECT id FROM contacts WHERE seq = contact) || ' ' || list || ' ' || status || added_at AS m FROM list_members ORDER BY contact, list",
  departures:
    "SELECT (SELECT id FROM contacts WHERE seq = contact) || ' ' || list || ' ' || joined_at || ' ' || left_at AS d FROM list_departures ORDER BY seq",
  consents:
    "SELECT contact_id || ' ' || address || ' ' || action || ' ' || source || ' ' || at || coalesce(reason, '-') FROM consent_log ORDER BY seq",
  suppressions:
    "SELECT address || ' ' || reason || ' ' || source || ' ' || created_at FROM suppressions ORDER BY address",
  confirmations: "SELECT address || ' ' || coalesce(voided_at, 0) FROM confirmations ORDER BY delivery",
  starts:
    "SELECT kind || ' ' || detail || ' ' || created_at || ' ' || (SELECT id FROM contacts WHERE seq = contact) AS s FROM automation_starts ORDER BY seq",
  webhooks:
    "SELECT webhook || ' ' || type || ' ' || created_at || ' ' || data FROM webhook_deliveries ORDER BY seq",
  activity:
    "SELECT at || ' ' || sum(unsubscribed) || ' ' || sum(complained) || ' ' || sum(complained_elsewhere) || ' ' || sum(new_contacts) FROM activity_counts GROUP BY at ORDER BY at",
};

const PREPARED = [
  "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (1, 1, 'confirmation', 's', 'sending', 1)",
  ...Array.from({ length: 10 }, (_, n) => [
    `INSERT INTO deliveries (seq, mailing, address, state) VALUES (${n + 1}, 1, 'a${n}@example.com', 'sent')`,
    `INSERT INTO confirmations (delivery, workspace, form_id, address, created_at) VALUES (${n + 1}, 1, 'f', 'a${n}@example.com', 1)`,
  ]).flat(),
  `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at) VALUES ('whk_1', 1, '', '["*"]', 'ENABLED', '', 1)`,
  `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at) VALUES ('whk_2', 1, '', '["contact.unsubscribed"]', 'HELD', '', 1)`,
  "INSERT INTO automations (seq, id, workspace, name, status, created_at, updated_at) VALUES (1, 'aut_1', 1, '', 'LIVE', 1, 1)",
  "INSERT INTO automation_listeners (workspace, kind, detail, automation) VALUES (1, 'new_subscriber', '', 1), (1, 'tag_added', 'vip', 1)",
];

type Step = (stores: OpenedEngine["stores"]) => Promise<unknown>;
type Posted = Upsert & { readonly input: Parameters<typeof planPost>[1] };

function person(chance: Dice, id: string, at: number): Posted {
  const email = `a${chance.roll(10)}@example.com`;
  const attributes = chance.pick(ATTRIBUTES);
  const input = {
    email,
    firstName: chance.pick([undefined, ...NAMES]),
    lastName: chance.pick([undefined, ...NAMES]),
    tags: chance.pick(TAGS),
    status: chance.pick(STATUSES),
    consent: chance.pick(CONSENTS),
    attributes,
  };
  return { email, fresh: { id, createdAt: at }, setsAttributes: attributes !== undefined, input };
}

const patch = (value: string | undefined): Patch<string> => (value === undefined ? absent : set(value));

/** One request, the same for every engine. `ids` are those that contacts may have. */
function request(chance: Dice, n: number, ids: readonly string[]): Step {
  const at = n * 400_000;
  const id = chance.pick(ids);
  const another = chance.pick(ids);
  const list = `list_${chance.roll(2)}`;
  const some = Array.from({ length: 1 + chance.roll(6) }, (_, i) => person(chance, `con_${n}_${i}`, at));
  const one = some[0]!;
  const { input } = one;
  const newAddress = chance.pick([undefined, undefined, input.email]);
  const kind = chance.roll(10);
  if (kind < 2)
    return ({ contacts }) => contacts.upsert("ws_one", one, (found) => planPost(found, input, ORIGIN, at));
  if (kind < 4) {
    const joining = chance.pick([
      null,
      { listId: list, at },
      { listId: list, at },
      { listId: "list_none", at },
    ]);
    return ({ contacts }) =>
      contacts.upsertAll("ws_one", [some], joining, (asked, found) =>
        planPost(found, asked.input, ORIGIN, at),
      );
  }
  if (kind < 6) {
    const tags = chance.pick([undefined, input.tags]);
    const firstName = patch(input.firstName);
    const lastName = patch(input.lastName);
    const change = { ...input, email: newAddress, firstName, lastName, tags };
    return ({ contacts }) =>
      contacts.change("ws_one", id, one, (found) => planPatch(found, change, ORIGIN, at));
  }
  if (kind === 6) return ({ contacts }) => contacts.delete("ws_one", id, suppressionOnDelete, at);
  if (kind === 7) {
    const contactId = chance.pick([id, null]);
    const optOut = { workspaceId: "ws_one", address: input.email, contactId, at };
    const origin = { ...ORIGIN, source: "unsubscribe", reason: chance.pick([null, "too much"]) } as const;
    return ({ contacts }) => contacts.optOut({ ...optOut, origin }, decideOnOptOut);
  }
  if (kind === 8)
    return chance.roll(2) === 0
      ? ({ lists }) => lists.addContacts("ws_one", list, [id, another], () => null, at)
      : ({ lists }) => lists.removeContact("ws_one", list, id, at);
  const name = chance.pick(["city", "n", "nobody"]);
  const entry = { email: input.email, reason: "COMPLAINT", source: "admin", createdAt: at } as const;
  return chance.roll(2) === 0
    ? ({ suppressions }) => suppressions.add("ws_one", entry, strongerReason)
    : ({ attributes }) => attributes.remove("ws_one", name);
}

/** Row numbers may differ: a transaction that runs again leaves some of them out. */
const told = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === "seq" || key === "nextPosition" ? undefined : value,
    ),
  );

/** What anybody can ask for; the same for every engine. */
function question(chance: Dice, ids: readonly string[]): Step {
  const filter = {
    status: chance.pick([null, null, "SUBSCRIBED", "UNSUBSCRIBED"] as const),
    tag: chance.pick([null, null, "vip", "a b", ""]) || null,
    q: chance.pick(QUERIES) || null,
  };
  const limit = 1 + chance.roll(5);
  const list = `list_${chance.roll(3)}`;
  const email = chance.pick([null, "a1@example.com"]);
  const id = chance.pick(ids);
  return async ({ contacts, lists, attributes, suppressions }) => [
    await twoPages((before) => contacts.page("ws_one", filter, { limit, before })),
    await twoPages((before) => lists.contacts("ws_one", list, filter, { limit, before })),
    await twoPages((before) => contacts.consentLog("ws_one", { email, contactId: null }, { limit, before })),
    await contacts.find("ws_one", id),
    await contacts.find("ws_two", id),
    await contacts.lists("ws_one", id),
    await attributes.list("ws_one"),
    await suppressions.list("ws_one", "", 20),
    await lists.page("ws_one", null, { limit: 5, before: null }),
  ];
}

async function twoPages(read: (before: number | null) => Promise<Page<unknown> | null>): Promise<unknown> {
  const first = await read(null);
  const before = first?.nextPosition ?? null;
  return [first, before === null ? null : await read(before)];
}

describe.skipIf(ENGINES.some(({ isMissing }) => isMissing))("contacts on every engine", () => {
  let opened: OpenedEngine[];
  const seen = new Set<string>();

  beforeAll(async () => {
    opened = await Promise.all(ENGINES.map((engine) => openWithWorkspaces(engine)));
    for (const { stores, run } of opened) {
      for (const id of ["list_0", "list_1"]) await stores.lists.insert("ws_one", newList(id));
      for (const statement of PREPARED) await run(statement);
    }
  });
  afterAll(() => Promise.all(opened.map((engine) => engine.close())));

  const ofAll = <T>(ask: (engine: OpenedEngine) => Promise<T>): Promise<T[]> => Promise.all(opened.map(ask));

  test.each([1, 2, 3])("are the same after the same requests (seed %i)", async (seed) => {
    const chance = dice(seed);
    const ids = ["con_none"];
    for (let n = 1; n <= 80; n++) {
      const number = seed * 1000 + n;
      const step = request(chance, number, ids);
      const [first, ...others] = await ofAll(async ({ stores }) => told(await step(stores)));
      for (const other of others) expect([n, other]).toEqual([n, first]);
      ids.push(`con_${number}_0`, `con_${number}_1`);
      if (n % 4 !== 0) continue;
      const rolled = chance.roll(1_000_000);
      const [answer, ...answers] = await ofAll(async ({ stores }) =>
        told(await question(dice(rolled), ids)(stores)),
      );
      for (const other of answers) expect([n, other]).toEqual([n, answer]);
    }
    for (const [what, statement] of Object.entries(LEFT)) {
      const [left, ...others] = await ofAll(({ values }) => values(statement));
      for (const other of others) expect([what, other]).toEqual([what, left!]);
      if (left!.length > 0) seen.add(what);
    }
  });

  test("left something of every kind to compare", () => {
    expect([...seen].toSorted()).toEqual(Object.keys(LEFT).toSorted());
  });
});
