import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, listOf, person } from "../../support/people/people.ts";
import { needsSqlite, rowsFrom } from "../../support/server/services.ts";

/** Enough for `q` to go by the trigram index rather than reading everybody. */
const CROWD = 6000;

/** Name, tags and status of each; the address is the key's. */
const PEOPLE: Record<string, { firstName?: string; lastName?: string; tags?: string[]; status?: string }> = {
  ada: { firstName: "Ada", lastName: "Lovelace", tags: ["vip", "math"] },
  elodie: { firstName: "ÉLODIE", lastName: "Straße", tags: ["vip"], status: "PENDING" },
  percent: { firstName: "100% sure", lastName: "under_score" },
  stars: { firstName: "**bold**", lastName: 'says "hi"', tags: ["VIP"] },
  emoji: { firstName: "😀😀😀 fun", lastName: "日本語", status: "UNSUBSCRIBED", tags: ["vip"] },
  border: { firstName: "Zed", lastName: "Kay" },
  lines: { firstName: "two\nlines", lastName: "O'Neil; --" },
  bounced: { firstName: "Ada", lastName: "Byron", status: "BOUNCED", tags: ["math"] },
};

const SEARCHES: Record<string, string[]> = {
  ada: ["ada", "bounced"],
  ADA: ["ada", "bounced"],
  élodie: ["elodie"],
  ÉL: ["elodie"],
  é: ["elodie"],
  STRASSE: ["elodie"],
  straße: ["elodie"],
  ß: ["elodie"],
  "%": ["percent"],
  "0% s": ["percent"],
  r_s: ["percent"],
  "*": ["stars"],
  "**b": ["stars"],
  '"hi"': ["stars"],
  '"': ["stars"],
  "'n": ["lines"],
  "neil; --": ["lines"],
  "😀": ["emoji"],
  "😀😀😀": ["emoji"],
  "😀 f": ["emoji"],
  本語: ["emoji"],
  日本語: ["emoji"],
  "two\nlines": ["lines"],
  "zed\nkay": [],
  zedkay: [],
  "@cast.example.com\nz": [],
  "lovelace ada": [],
  "ada OR byron": [],
  zz: [],
  "no such thing": [],
  "\0": [],
  "\0\0": [],
  "\0zz": [],
  // What is stored has none, wherever it was typed.
  "\0lovelace": ["ada"],
};

/** A workspace with these people alone, and one where they stand among many. */
let few: TestApi;
let many: TestApi;
beforeAll(async () => {
  few = await startApi();
  many = await inNewWorkspace(few);
  for (const api of [few, many])
    for (const [name, fields] of Object.entries(PEOPLE))
      await person(api, `${name}@cast.example.com`, fields);
});
afterAll(() => few.stop());

async function names(api: TestApi, path: string, query: Record<string, string>): Promise<string[]> {
  const { body } = await api.call("GET", `${path}?limit=100&${new URLSearchParams(query).toString()}`);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ email }: any) => email.replace("@cast.example.com", ""));
}

const newestFirst = (wanted: readonly string[]) =>
  Object.keys(PEOPLE)
    .filter((name) => wanted.includes(name))
    .toReversed();

/** Every search and every combination of filters; among many, all but those that the crowd itself fits. */
function describeFilters(title: string, apiOf: () => TestApi): void {
  describe(title, () => {
    for (const [q, wanted] of Object.entries(SEARCHES)) {
      test(`q=${JSON.stringify(q)} is a plain substring of one field, whatever its case`, async () => {
        expect(await names(apiOf(), "/contacts", { q })).toEqual(newestFirst(wanted));
      });
    }

    for (const status of ["", ...CONTACT_STATUSES]) {
      test(`status=${status}, tag and q combine with AND; an empty one is none`, async () => {
        for (const q of ["", "a", "ada", "cast.example"]) {
          for (const tag of ["", "vip", "math", "VIP", "none"]) {
            if (apiOf() === many && q === "" && tag === "" && (status === "" || status === "SUBSCRIBED"))
              continue;
            expect(await names(apiOf(), "/contacts", { status, tag, q })).toEqual(
              newestFirst(fitting(status, tag, q)),
            );
          }
        }
      });
    }
  });
}

function fitting(status: string, tag: string, q: string): string[] {
  return Object.entries(PEOPLE)
    .filter(([name, each]) => q === "" || matches(name, each, q))
    .filter(([, each]) => status === "" || (each.status ?? "SUBSCRIBED") === status)
    .filter(([, each]) => tag === "" || each.tags?.includes(tag))
    .map(([name]) => name);
}

const matches = (
  name: string,
  { firstName = "", lastName = "" }: (typeof PEOPLE)[string],
  q: string,
): boolean =>
  [`${name}@cast.example.com`, firstName, lastName].some((field) => field.toLowerCase().includes(q));

describeFilters("few contacts, read through", () => few);

describe("a list's contacts", () => {
  let listId = "";
  beforeAll(async () => {
    listId = await listOf(few, "Everybody");
    const { body } = await few.call("GET", "/contacts");
    await few.call("POST", `/lists/${listId}/contacts`, { contactIds: body.data.map(({ id }: any) => id) });
  });
  const onList = (wanted: readonly string[]) =>
    newestFirst(wanted).filter((name) => !["emoji", "bounced"].includes(name));

  for (const q of ["ada", "é", "%", "zed\nkay", "cast.example.com", ""]) {
    test(`q=${JSON.stringify(q)} is looked for in members only, with and without status`, async () => {
      const wanted = q === "" || q === "cast.example.com" ? Object.keys(PEOPLE) : SEARCHES[q]!;
      expect(await names(few, `/lists/${listId}/contacts`, { q })).toEqual(onList(wanted));
      expect(await names(few, `/lists/${listId}/contacts`, { q, status: "PENDING" })).toEqual(
        onList(wanted).filter((name) => name === "elodie"),
      );
      expect(await names(few, `/lists/${listId}/contacts`, { q, status: "UNSUBSCRIBED" })).toEqual([]);
    });
  }

  test("an invalid status is 422, also on an empty list", async () => {
    for (const path of ["/contacts", `/lists/${listId}/contacts`]) {
      for (const status of ["subscribed", "ACTIVE", "PENDING,SUBSCRIBED"]) {
        expect((await few.call("GET", `${path}?status=${status}`)).status).toBe(422);
      }
    }
  });
});

describe("many contacts, by the trigram index", () => {
  beforeAll(async () => {
    const origin = { source: "api", formId: null, clientAddress: null, userAgent: null } as const;
    await Promise.all(
      Array.from({ length: CROWD }, (_, i) =>
        many.services.contacts.upsert(
          many.workspaceId,
          {
            email: `n${i}@crowd.test`,
            firstName: "Crowd",
            lastName: undefined,
            tags: ["crowd"],
            status: undefined,
            consent: undefined,
            attributes: undefined,
          },
          origin,
        ),
      ),
    );
  });

  test("the crowd is found whole, and counted", async () => {
    const { body } = await many.call("GET", "/contacts?q=CROWD.test&limit=3&status=SUBSCRIBED&tag=crowd");
    expect(body.pagination.total).toBe(CROWD);
    expect(body.data.map(({ email }: any) => email)).toEqual(
      [5999, 5998, 5997].map((i) => `n${i}@crowd.test`),
    );
  });

  describeFilters("and the same people among them", () => many);

  test("a large list is searched for its own members only", async () => {
    const ids = rowsFrom<{ id: string }>(
      many,
      "SELECT c.id FROM contacts AS c JOIN workspaces AS w ON w.seq = c.workspace WHERE w.id = ? AND c.email <> 'stars@cast.example.com'",
      many.workspaceId,
    );
    const listId = await listOf(
      many,
      "Crowded",
      ids.map(({ id }) => id),
    );
    const path = `/lists/${listId}/contacts`;
    expect(await names(many, path, { q: "ADA" })).toEqual(["ada"]);
    expect(await names(many, path, { q: "bold" })).toEqual([]);
    expect(await names(many, path, { q: "élo", status: "PENDING" })).toEqual(["elodie"]);
    const { body } = await many.call("GET", `${path}?q=crowd.test&status=SUBSCRIBED&limit=1`);
    expect([body.pagination.total, body.data[0].email]).toEqual([CROWD, `n${CROWD - 1}@crowd.test`]);
  });

  test.skipIf(needsSqlite("it is about the write-ahead log"))(
    "a search leaves no read open: the write-ahead log can be emptied after it",
    async () => {
      await names(many, "/contacts", { q: "lovelace" });
      await names(many, "/contacts", { q: "no such thing" });
      many.services.database.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  );

  test("a change of name moves a contact in the index; the derived tables agree with their rows", async () => {
    const [ada] = (await many.call("GET", "/contacts?q=lovelace")).body.data;
    await many.call("PATCH", `/contacts/${ada.id}`, { lastName: "King" });
    expect(await names(many, "/contacts", { q: "lovelace" })).toEqual([]);
    await many.call("PATCH", `/contacts/${ada.id}`, { lastName: "Lovelace" });
    expect(await names(many, "/contacts", { q: "lovelace" })).toEqual(["ada"]);
    expect(derivedTablesAgree(many)).toBe(true);
  });
});
