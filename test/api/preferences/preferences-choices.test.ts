import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  formIn,
  startPreferences,
  type Form,
  type PreferencesApi,
  type Reader,
} from "../../support/people/preferences.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { derivedTablesAgree } from "../../support/people/people.ts";

let api: PreferencesApi;
let [news, offers, hidden] = ["", "", ""];
beforeAll(async () => {
  api = await startPreferences();
  ({ news, offers, hidden } = api.lists);
});
afterAll(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop();
});

const pageOf = async (reader: Reader): Promise<string> => readPage(await api.visit(reader.path));
const shows = async (reader: Reader): Promise<string> => textOf(await pageOf(reader));

/** Who may be on News at first, what is posted, and what has changed then. */
type Row = readonly [
  what: string,
  before: { on?: readonly ("news" | "offers" | "hidden")[]; fields?: object },
  form: () => Form,
  after: Partial<Awaited<ReturnType<PreferencesApi["standing"]>>>,
];
const ADA = { firstName: "Ada", lastName: "Lovelace" };

const CHOICES: readonly Row[] = [
  ["joins a list", {}, () => ({ lists: news }), { on: ["news"], log: ["GIVEN preferences news"] }],
  [
    "leaves a list",
    { on: ["news", "offers"] },
    () => ({ lists: offers }),
    { on: ["offers"], log: ["WITHDRAWN preferences news"] },
  ],
  [
    "joins one and leaves another",
    { on: ["news"] },
    () => ({ lists: offers }),
    { on: ["offers"], log: ["GIVEN preferences offers", "WITHDRAWN preferences news"] },
  ],
  [
    "joins both",
    {},
    () => ({ lists: [news, offers] }),
    { on: ["news", "offers"], log: ["GIVEN preferences news", "GIVEN preferences offers"] },
  ],
  [
    "sends nothing but another word for leaving",
    { on: ["news"] },
    () => ({ leave: "nothing" }),
    { on: ["news"], log: [] },
  ],
  ["ticks nothing of what there is, on none", {}, () => ({ firstName: "" }), { on: [], log: [] }],
  [
    "unticks all, and stays SUBSCRIBED",
    { on: ["news", "offers"] },
    () => ({ firstName: "", lastName: "" }),
    { status: "SUBSCRIBED", on: [], log: ["WITHDRAWN preferences news", "WITHDRAWN preferences offers"] },
  ],
  ["changes nothing", { on: ["news"] }, () => ({ lists: news }), { on: ["news"], log: [] }],
  [
    "names one list twice",
    {},
    () => ({ lists: [news, news] }),
    { on: ["news"], log: ["GIVEN preferences news"] },
  ],
  [
    "asks for a list that is not public, or is none",
    {},
    () => ({ lists: [hidden, "list_none", "", "%", news] }),
    { on: ["news"], log: ["GIVEN preferences news"] },
  ],
  [
    "stays on a list that is not public",
    { on: ["hidden", "news"] },
    () => ({ lists: [], firstName: "" }),
    { on: ["hidden"], log: ["WITHDRAWN preferences news"] },
  ],
  [
    "corrects the name",
    { on: ["news"], fields: ADA },
    () => ({ lists: news, firstName: " Grace\u0000 ", lastName: "Hopper" }),
    { name: "Grace Hopper", on: ["news"], log: [] },
  ],
  [
    "clears a name",
    { fields: ADA },
    () => ({ firstName: "", lastName: "Lovelace" }),
    { name: "Lovelace", log: [] },
  ],
  ["sends one name only", { fields: ADA }, () => ({ lastName: "King" }), { name: "Ada King" }],
  [
    "sends a name that is too long",
    { fields: ADA },
    () => ({ firstName: "x".repeat(201), lastName: "é".repeat(200) }),
    { name: `Ada ${"é".repeat(200)}` },
  ],
  [
    "sends other fields too",
    { fields: { ...ADA, tags: ["vip"] } },
    () => ({
      lists: news,
      email: "other@example.com",
      status: "UNSUBSCRIBED",
      tags: "x",
      reason: "y",
      id: "z",
    }),
    { name: "Ada Lovelace", status: "SUBSCRIBED", on: ["news"], log: ["GIVEN preferences news"] },
  ],
  [
    "sends nothing of this form",
    { on: ["news"] },
    () => ({ "List-Unsubscribe": "One-Click" }),
    { status: "SUBSCRIBED", on: ["news"], log: [] },
  ],
  [
    "sends another word with the button",
    { on: ["news"] },
    () => ({ lists: news, leave: "something" }),
    { status: "SUBSCRIBED", on: ["news"], log: [] },
  ],
  [
    "leaves everything, whatever else is sent",
    { on: ["news", "hidden"], fields: ADA },
    () => ({ lists: [news, offers], firstName: "Eve", leave: "everything" }),
    {
      status: "UNSUBSCRIBED",
      name: "Ada Lovelace",
      on: [],
      suppressed: "UNSUBSCRIBED",
      log: ["WITHDRAWN preferences *"],
    },
  ],
  [
    "was shown one list only: others stay as they are",
    { on: ["news"] },
    () => ({ shown: offers, lists: offers }),
    { on: ["news", "offers"], log: ["GIVEN preferences offers"] },
  ],
  ["was shown none", { on: ["news"] }, () => ({ shown: "", lists: offers }), { on: ["news"], log: [] }],
];

describe("who posts the form", () => {
  test.each(CHOICES)("and %s", async (_what, { on = [], fields = {} }, form, after) => {
    const reader = await api.newReader(
      on.map((list) => api.lists[list]),
      fields,
    );
    const before = await api.standing(reader);
    const expected = { ...before, ...after };
    for (const _ of ["once", "again"]) {
      const answer = await api.choose(reader, form());
      expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
      await readPage(answer);
      expect(await api.standing(reader)).toEqual(expected);
    }
  });

  test("sees what is stored, and that it is", async () => {
    const reader = await api.newReader([news]);
    const page = await readPage(await api.choose(reader, { lists: offers, firstName: "Ada" }));
    expect(textOf(page)).toContain("Your choice is saved.");
    expect(formIn(page)).toEqual({
      boxes: { [news]: false, [offers]: true },
      fields: { shown: `${news} ${offers}`, ticked: offers, firstName: "Ada", lastName: "" },
    });
    expect(await shows(reader)).not.toContain("saved");
  });

  test("twenty times at once is logged once", async () => {
    const reader = await api.newReader();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.choose(reader, { lists: news })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await api.standing(reader)).toMatchObject({ on: ["news"], log: ["GIVEN preferences news"] });
  });

  test("is logged with the list, the client's address and program; the log of all mail is not touched", async () => {
    const reader = await api.newReader();
    await api.choose(reader, { lists: news }, { "User-Agent": `Mail/1.0 ${"x".repeat(2_000)}` });
    const { data } = (await api.call("GET", `/consents?contactId=${reader.contactId}`)).body;
    expect(data).toMatchObject([
      { action: "GIVEN", source: "preferences", listId: news, clientAddress: "127.0.0.1", formId: null },
    ]);
    expect(data[0].userAgent).toHaveLength(512);
    const timeline = (await api.call("GET", `/contacts/${reader.contactId}/timeline`)).body.data;
    const told = timeline.filter(({ kind }: any) => kind === "consent" || kind === "list");
    expect(told.map(({ text }: any) => text)).toEqual([
      "Joined the list News",
      "Agreed to the mail of one list, on the preferences page",
      "Left the list Readers",
      "Joined the list Readers",
    ]);
  });

  test("touches nobody else", async () => {
    const [reader, other] = [await api.newReader([news]), await api.newReader([news])];
    const before = await api.standing(other);
    await api.choose(reader, { leave: "everything" });
    expect(await api.standing(other)).toEqual(before);
  });
});
