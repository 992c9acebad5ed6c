import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { fold } from "#core/text/fold.ts";
import { everyItem, startApi, type TestApi } from "../../support/server/api.ts";
import { markSent } from "../../support/sending/campaigns.ts";
import { dice } from "../../support/common/dice.ts";
import { advanceSearchIndex, derivedTablesAgree } from "../../support/people/people.ts";
import { NAMES, QUERIES } from "../../support/storage/search-words.ts";

const SEED = 20_261_121;
const ROUNDS = 40;
const STEPS_A_ROUND = 75;

// Which answer comes first is the machine's to decide; what is asked is not.
let chance = dice(SEED);
// Every test rolls from the start, so that it does the same alone and in any order.
beforeEach(() => void (chance = dice(SEED)));
const roll = (sides: number): number => chance.roll(sides);
const one = <T>(from: readonly T[]): T => chance.pick(from);

/** Opting out is for good, so it is rare: else there would soon be nobody left to join a list. */
const STATUSES = [
  ...Array.from({ length: 9 }, (_, i) => (i % 2 ? "PENDING" : "SUBSCRIBED")),
  "UNSUBSCRIBED",
  "BOUNCED",
];
const TAGS = ["vip", "VIP", "beta", "über", "a'b", "", " ", '"', "日本"];

const NAMED = ["city", "City", "age", "constructor", "colours", "vip"];
const VALUES = ["Berlin", "ÉCOLE", "", 0, 1.5, -7, true, false, [], ["red", "GRÜN"], null, null];

let api: TestApi;
let keys: string[];
beforeAll(async () => {
  api = await startApi();
  keys = [api.key, (await api.services.workspaces.create("Other")).key];
});
afterAll(() => api.stop());

/** What a random step may name: ids of rows that are there, or were. */
const known: Record<string, { contacts: string[]; lists: string[]; campaigns: string[] }> = {};
const of = (key: string) => (known[key] ??= { contacts: [], lists: [], campaigns: [] });
/** Rather a young one: the old ones are mostly gone. */
const recent = (ids: readonly string[], n = 30): string => one(ids.slice(-n));
const some = (ids: readonly string[]): string[] => [
  ...new Set(Array.from({ length: 1 + roll(2) }, () => recent(ids, 12))),
];
let posted = 0;

const someAddress = () => ({
  email: `suppressed${roll(8)}@example.com`,
  reason: one(["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"]),
});

const fields = (): object => ({
  firstName: one(NAMES),
  lastName: one(NAMES),
  tags: Array.from({ length: roll(4) }, () => one(TAGS)),
  ...(roll(2)
    ? { attributes: Object.fromEntries(Array.from({ length: roll(4) }, () => [one(NAMED), one(VALUES)])) }
    : {}),
});

type Step = (key: string) => Promise<{ status: number }>;
const STEPS: Record<string, Step> = {
  "a contact is posted": async (key) => {
    const email = `reader-${(posted++ >> 1) + roll(30)}@${one(["example.com", "example.org"])}`;
    const body = {
      email,
      ...fields(),
      status: one(STATUSES),
      ...(roll(4) ? {} : { consent: "explicit" }),
    };
    const answer = await api.call("POST", "/contacts", body, key);
    if (answer.body.data) of(key).contacts.push(answer.body.data.id);
    return answer;
  },
  "a contact is changed": (key) => {
    const body = {
      ...(roll(2) ? fields() : {}),
      ...(roll(2) ? { status: one(STATUSES) } : {}),
      ...(roll(5) ? {} : { email: `moved-${roll(60)}@example.com` }),
    };
    return api.call("PATCH", `/contacts/${recent(of(key).contacts)}`, body, key);
  },
  "a contact is deleted": (key) => remove("contacts", key),
  "an attribute is taken off everybody": (key) =>
    roll(4)
      ? STEPS["a contact is changed"]!(key)
      : api.call("DELETE", `/attributes/${one(NAMED)}`, undefined, key),
  "a list is made": async (key) => {
    const answer = await api.call("POST", "/lists", { name: one(NAMES) || "Nameless" }, key);
    if (answer.body.data) of(key).lists.push(answer.body.data.id);
    return answer;
  },
  "contacts join a list": (key) =>
    api.call(
      "POST",
      `/lists/${recent(of(key).lists, 6)}/contacts`,
      { contactIds: some(of(key).contacts) },
      key,
    ),
  "a contact leaves a list": (key) =>
    api.call(
      "DELETE",
      `/lists/${recent(of(key).lists, 6)}/contacts/${recent(of(key).contacts)}`,
      undefined,
      key,
    ),
  "a list is deleted": (key) => (roll(3) ? STEPS["a list is made"]!(key) : remove("lists", key)),
  "a campaign is made": async (key) => {
    const answer = await api.call(
      "POST",
      "/campaigns",
      { name: "Spring", subject: "Hello", body: "<p></p>", listId: recent(of(key).lists, 6) },
      key,
    );
    if (answer.body.data) of(key).campaigns.push(answer.body.data.id);
    return answer;
  },
  "a campaign is scheduled": (key) =>
    api.call(
      "POST",
      `/campaigns/${recent(of(key).campaigns)}/schedule`,
      { scheduledAt: "2040-01-01T00:00:00Z" },
      key,
    ),
  "a schedule is cancelled": (key) =>
    api.call("DELETE", `/campaigns/${recent(of(key).campaigns)}/schedule`, undefined, key),
  "a campaign loses its list": (key) =>
    api.call("PATCH", `/campaigns/${recent(of(key).campaigns)}`, { listId: null }, key),
  "a campaign is deleted": (key) => remove("campaigns", key),
  "an address is suppressed": (key) => api.call("POST", "/suppressions", someAddress(), key),
  "a suppression is lifted": (key) =>
    api.call("DELETE", `/suppressions/${encodeURIComponent(someAddress().email)}`, undefined, key),
  "the search index follows": async () => {
    await advanceSearchIndex(api, 1 + roll(20));
    return { status: 200 };
  },
  "a campaign is sent": async (key) => {
    await markSent(api, recent(of(key).campaigns));
    return { status: 200 };
  },
};

/** Deletes something, and mostly forgets that it was there. */
async function remove(what: "contacts" | "lists" | "campaigns", key: string): Promise<{ status: number }> {
  const id = recent(of(key)[what]);
  const left = of(key)[what].filter((each) => each !== id);
  if (left.length > 0 && roll(4)) of(key)[what] = left;
  return api.call("DELETE", `/${what}/${id}`, undefined, key);
}

/** The steps, those that meet each other in a counter more often. */
const OFTEN = ["a contact is posted", "a contact is changed", "contacts join a list"];
const CHOICE = [...Object.keys(STEPS), ...OFTEN, ...OFTEN, ...OFTEN];

const rows = (sql: string): string => JSON.stringify(api.services.database.sqlite.query(sql).all());

/** Every counter of records beside the records themselves, recounted. */
const RECORDS = `SELECT workspace, 'campaign' AS kind, status, count(*) AS n FROM campaigns GROUP BY 1, 3
  UNION ALL SELECT workspace, 'list', '', count(*) FROM lists GROUP BY 1
  UNION ALL SELECT workspace, 'consent', '', count(*) FROM consent_log GROUP BY 1
  UNION ALL SELECT workspace, 'suppression', reason, count(*) FROM suppressions GROUP BY 1, 3
  UNION ALL SELECT workspace, 'message', state, count(*) FROM messages GROUP BY 1, 3
  UNION ALL SELECT workspace, 'audit', what, count(*) FROM audit WHERE workspace IS NOT NULL GROUP BY 1, 3 ORDER BY 1, 2, 3`;

const FAULTS: Record<string, string> = {
  "a counter is negative": `SELECT n FROM contact_counts WHERE n < 0 UNION ALL SELECT n FROM list_counts WHERE n < 0
    UNION ALL SELECT n FROM record_counts WHERE n < 0`,
  "a membership shows another status than its contact": `SELECT m.list FROM list_members m JOIN contacts c ON c.seq = m.contact WHERE c.status <> m.status`,
  "a tag's row differs from the contact": `SELECT workspace, value, status, seq FROM contacts, json_each(tags) EXCEPT SELECT * FROM contact_tags`,
  "a tag's row belongs to nobody": `SELECT * FROM contact_tags EXCEPT SELECT workspace, value, status, seq FROM contacts, json_each(tags)`,
  "an opted-out contact is on a list": `SELECT contact FROM list_members WHERE status IN ('UNSUBSCRIBED', 'BOUNCED')`,
  "a list is counted that is gone": `SELECT list FROM list_counts WHERE list NOT IN (SELECT seq FROM lists)`,
  "a SCHEDULED campaign lacks its list or its time": `SELECT id FROM campaigns WHERE status = 'SCHEDULED' AND (list IS NULL OR scheduled_at IS NULL)`,
  "a contact has attributes, and none": `SELECT contact FROM contact_attributes WHERE attributes = jsonb('{}') OR folded = jsonb('{}')`,
  "a reference is broken": `PRAGMA foreign_key_check`,
};

describe("thousands of random requests", () => {
  test(`leave every counter what a recount says (seed ${SEED})`, async () => {
    for (const key of keys)
      for (const name of ["a list is made", "a contact is posted", "a campaign is made"])
        await STEPS[name]!(key);
    const answered = new Set<number>();
    const members: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const steps = Array.from({ length: STEPS_A_ROUND }, () => STEPS[one(CHOICE)]!(one(keys)));
      for (const { status } of await Promise.all(steps)) answered.add(status);
      expect([round, derivedTablesAgree(api)]).toEqual([round, true]);
      members.push(JSON.parse(rows("SELECT count(DISTINCT status) AS n FROM list_members"))[0].n);
      expect(rows("SELECT workspace, kind, status, n FROM record_counts WHERE n <> 0 ORDER BY 1, 2, 3")).toBe(
        rows(RECORDS),
      );
      for (const [fault, sql] of Object.entries(FAULTS))
        expect([round, fault, rows(sql)]).toEqual([round, fault, "[]"]);
    }
    expect([...answered].filter((status) => status >= 500)).toEqual([]);
    // The requests did meet each other: PENDING and SUBSCRIBED people were on lists most of the time.
    expect(members.filter((kinds) => kinds === 2).length).toBeGreaterThan(ROUNDS / 2);
  });

  test("and the totals of every list are those counters", async () => {
    for (const key of keys) {
      for (const query of [
        "",
        "?status=SUBSCRIBED",
        "?tag=vip",
        "?tag=vip&status=PENDING",
        "?tag=%20",
        "?tag=nobody",
      ]) {
        const { pagination } = (await api.call("GET", `/contacts${query}`, undefined, key)).body;
        expect([query, (await walk(`/contacts${query}`, key)).length]).toEqual([query, pagination.total]);
      }
      for (const list of await walk("/lists", key)) {
        const { pagination } = (await api.call("GET", `/lists/${list.id}/contacts`, undefined, key)).body;
        expect(pagination.total).toBe(list.contactCount);
      }
    }
  });
});

const walk = (path: string, key = api.key) => everyItem(api, path, key);

describe("the search index", () => {
  /** More than are read through for a `q`: from here on the trigrams choose the candidates. */
  const CONTACTS = 5_100;

  beforeAll(() => {
    const { sqlite } = api.services.database;
    const search = (...texts: string[]) => texts.map((text) => fold(text).replaceAll("\n", "\r")).join("\n");
    const insert = sqlite.query(
      "INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at) VALUES (?, 1, ?, ?, ?, '[]', ?, ?, 0)",
    );
    sqlite.transaction(() => {
      for (let i = 0; i < CONTACTS; i++) {
        const [email, first, last] = [
          `er-${i}@${i % 3 ? "example.com" : "example.org"}`,
          one(NAMES),
          one(NAMES),
        ];
        insert.run(`con_many_${i}`, email, first, last, one(STATUSES), search(email, first, last));
      }
    })();
  });

  /** No stored text has a NUL, so a `q` that is nothing else finds nobody. */
  const contains = (contact: any, q: string) =>
    q !== "\0" &&
    [contact.email, contact.firstName, contact.lastName].some((text) => fold(text).includes(fold(q)));

  test.each([
    ["", "what it was filled with before"],
    ["&status=SUBSCRIBED", "what it was filled with before"],
    ["", "half of them"],
    ["&status=SUBSCRIBED", "half of them"],
    ["", "all of them"],
    ["&status=SUBSCRIBED", "all of them"],
  ])(
    "finds exactly who has the text in address or name, newest first (%s), having %s",
    async (filter, indexed) => {
      if (filter === "" && indexed === "half of them") await advanceSearchIndex(api, CONTACTS / 2);
      if (indexed === "all of them") await advanceSearchIndex(api, CONTACTS);
      const everybody = await walk(`/contacts?${filter}`);
      expect(everybody.length).toBeGreaterThan(1_000);
      for (const q of QUERIES) {
        const wanted = everybody.filter((contact) => contains(contact, q)).map(({ id }) => id);
        const { body } = await api.call("GET", `/contacts?limit=100&q=${encodeURIComponent(q)}${filter}`);
        expect([q, body.pagination.total]).toEqual([q, wanted.length]);
        expect([q, body.data.map(({ id }: any) => id)]).toEqual([q, wanted.slice(0, 100)]);
      }
    },
  );

  test.each(["before", "after"])(
    "forgets what a contact was called, and who was deleted, %s it had them",
    async (when) => {
      const { id } = (
        await api.call("POST", "/contacts", { email: "zzyzx@example.com", firstName: "Zebediah" })
      ).body.data;
      if (when === "after") await advanceSearchIndex(api, 1);
      const found = async (q: string) => (await api.call("GET", `/contacts?q=${q}`)).body.pagination.total;
      expect([await found("zebediah"), await found("zzyzx")]).toEqual([1, 1]);
      await api.call("PATCH", `/contacts/${id}`, { firstName: "Yorick" });
      expect([await found("zebediah"), await found("yorick"), await found("zzyzx")]).toEqual([0, 1, 1]);
      await api.call("DELETE", `/contacts/${id}`);
      expect([await found("yorick"), await found("zzyzx")]).toEqual([0, 0]);
      expect(derivedTablesAgree(api)).toBe(true);
    },
  );
});
