import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tokensOf } from "#deliveries/token.ts";
import {
  formIn,
  startPreferences,
  type Form,
  type PreferencesApi,
  type Reader,
} from "../support/preferences.ts";
import { readPage, textOf } from "../support/page-checks.ts";
import { derivedTablesAgree, person } from "../support/people.ts";
import { tokenOf } from "../support/readers.ts";
import { reportOf } from "../support/sending.ts";

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

describe("looking at the preferences page", () => {
  test("changes nothing, by any method but POST, however often", async () => {
    const reader = await api.newReader([news], { firstName: "Ada" });
    const before = await api.standing(reader);
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]) {
      await api.visit(reader.path, { method });
      await api.visit(`${reader.path}?leave=everything&lists=${offers}&_method=POST`, {
        method,
        headers: { "X-HTTP-Method-Override": "POST" },
      });
    }
    expect(await api.standing(reader)).toEqual(before);
    const [put, unsubscribe] = [
      await api.visit(reader.path, { method: "PUT" }),
      await api.visit(reader.unsubscribe, { method: "PUT" }),
    ];
    expect([put.status, put.headers.get("allow")]).toEqual([
      unsubscribe.status,
      unsubscribe.headers.get("allow"),
    ]);
    expect((await api.visit(reader.path, { method: "HEAD" })).status).toBe(200);
  });

  test("shows a box for each public list, ticked where the reader is on it, their name, and two buttons", async () => {
    const reader = await api.newReader([offers, hidden], { firstName: "Grace", lastName: "Hopper" });
    const page = await pageOf(reader);
    expect(textOf(page)).toStartWith(
      "Default Choose your emails Tick what you want to get at r••@example.com. Emails News Offers At most one a week. Your name First name Last name Save",
    );
    expect(page).not.toContain("reader-");
    expect(page).not.toContain("Internal");
    expect(page).not.toContain("Hidden");
    const { boxes, fields } = formIn(page);
    expect(Object.entries(boxes)).toEqual([
      [news, false],
      [offers, true],
    ]);
    expect(fields).toEqual({ shown: `${news} ${offers}`, firstName: "Grace", lastName: "Hopper" });
    expect([...page.matchAll(/<(?:form|button)\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<form method="post">',
      '<button type="submit">',
      '<button class="quiet" type="submit" name="leave" value="everything">',
    ]);
  });

  test("works as long as the mail is there: also when campaign and list were deleted", async () => {
    const reader = await api.newReader([news]);
    await api.call("DELETE", `/campaigns/${reader.campaignId}`);
    expect(formIn(await pageOf(reader)).boxes[news]).toBe(true);
    await api.choose(reader, { lists: offers });
    expect((await api.standing(reader)).on).toEqual(["offers"]);
  });
});

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
      fields: { shown: `${news} ${offers}`, firstName: "Ada", lastName: "" },
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
    expect(data[0].userAgent).toHaveLength(500);
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

/** People who do not choose, and what the page says to them. */
type Person = readonly [who: string, make: (reader: Reader) => Promise<unknown>, canLeave: boolean];
const patch = (body: object) => (reader: Reader) => api.call("PATCH", `/contacts/${reader.contactId}`, body);
const suppress = (reason: string) => (reader: Reader) =>
  api.call("POST", "/suppressions", { email: reader.address, reason });
const OUT: readonly Person[] = [
  ["opted out by the API", patch({ consent: "declined" }), false],
  [
    "opted out by the unsubscribe link",
    ({ unsubscribe }) => api.visit(unsubscribe, { method: "POST" }),
    false,
  ],
  ["opted out on this page", (reader) => api.choose(reader, { leave: "everything" }), false],
  ["bounced", patch({ status: "BOUNCED" }), true],
  ["is suppressed as UNSUBSCRIBED, though SUBSCRIBED again", raisedAgain, true],
  ["is suppressed as MANUAL", suppress("MANUAL"), true],
  ["complained", suppress("COMPLAINT"), true],
  ["was deleted", ({ contactId }) => api.call("DELETE", `/contacts/${contactId}`), true],
  ["opted out and was deleted", goneForGood, false],
  ["has another address now", patchAddress, true],
];
async function raisedAgain(reader: Reader): Promise<void> {
  await patch({ consent: "declined" })(reader);
  await patch({ status: "SUBSCRIBED", consent: "explicit" })(reader);
}
async function goneForGood(reader: Reader): Promise<void> {
  await patch({ consent: "declined" })(reader);
  await api.call("DELETE", `/contacts/${reader.contactId}`);
}
async function patchAddress(reader: Reader): Promise<void> {
  await patch({ email: `moved-${reader.address}` })(reader);
}

describe("nobody is brought back, and nobody is made: who", () => {
  test.each(OUT)("%s sees so, and changes nothing by joining", async (_who, make, canLeave) => {
    const reader = await api.newReader([news], ADA);
    await make(reader);
    const before = await api.standing(reader);
    const total = (await api.call("GET", "/contacts")).body.pagination.total;
    const page = await pageOf(reader);
    expect(textOf(page)).toContain("You get no emails No newsletters or other marketing emails of Default");
    expect(page).not.toContain("Lovelace");
    expect(formIn(page)).toEqual({ boxes: {}, fields: {} });
    expect(page.includes('value="everything"')).toBe(canLeave);
    for (const form of [{ lists: [news, offers], firstName: "Eve" }, {}]) {
      const answer = await api.choose(reader, form);
      expect(answer.status).toBe(200);
      expect(textOf(await readPage(answer))).toContain("You get no emails");
    }
    expect(await api.standing(reader)).toEqual(before);
    expect((await api.call("GET", "/contacts")).body.pagination.total).toBe(total);
  });

  test.each(OUT)("%s can still leave everything, once", async (_who, make, canLeave) => {
    const reader = await api.newReader([news], ADA);
    await make(reader);
    const before = await api.standing(reader);
    const log = [...before.log, ...(canLeave ? ["WITHDRAWN preferences *"] : [])];
    for (const _ of ["once", "again"]) {
      const answer = await api.choose(reader, { leave: "everything" });
      expect([answer.status, textOf(await readPage(answer))]).toEqual([
        200,
        expect.stringContaining("You are unsubscribed"),
      ]);
    }
    const after = await api.standing(reader);
    expect([after.log, after.on]).toEqual([log, []]);
    expect(after.suppressed).toBe(before.suppressed ?? "UNSUBSCRIBED");
    expect([undefined, "UNSUBSCRIBED"]).toContain(after.status);
    expect(await pageOf(reader)).not.toContain('value="everything"');
  });
});

describe("somebody who is PENDING", () => {
  test("chooses, is told that nothing comes yet, and stays PENDING", async () => {
    const reader = await api.newReader();
    await api.call("DELETE", `/contacts/${reader.contactId}`);
    const again = await person(api, reader.address, { status: "PENDING" });
    const now = { ...reader, contactId: again.id };
    expect(await shows(now)).toContain("Your subscription is not confirmed yet.");
    await api.choose(now, { lists: news, firstName: "Ada" });
    expect(await api.standing(now)).toMatchObject({
      status: "PENDING",
      name: "Ada",
      on: ["news"],
      log: ["GIVEN preferences news"],
      suppressed: undefined,
    });
  });
});

describe("two tabs", () => {
  test("the last press counts, and each difference is logged", async () => {
    const reader = await api.newReader([news]);
    const first = formIn(await pageOf(reader)).fields;
    await api.choose(reader, { ...first, lists: offers });
    await api.choose(reader, { ...first, lists: [news] });
    expect(await api.standing(reader)).toMatchObject({
      on: ["news"],
      log: [
        "GIVEN preferences offers",
        "WITHDRAWN preferences news",
        "GIVEN preferences news",
        "WITHDRAWN preferences offers",
      ],
    });
  });

  test("who left everything in one is not brought back by the other", async () => {
    const reader = await api.newReader([news]);
    const { fields } = formIn(await pageOf(reader));
    await api.choose(reader, { leave: "everything" });
    const answer = await api.choose(reader, { ...fields, lists: [news, offers] });
    expect(textOf(await readPage(answer))).toContain("You get no emails");
    expect(await api.standing(reader)).toMatchObject({ status: "UNSUBSCRIBED", on: [] });
  });

  test("nobody leaves a list that became public after the page was shown, nor joins one that is so no more", async () => {
    const reader = await api.newReader([hidden]);
    const { fields } = formIn(await pageOf(reader));
    await api.call("PATCH", `/lists/${hidden}/options`, { public: true });
    await api.call("PATCH", `/lists/${offers}/options`, { public: false });
    await api.choose(reader, { ...fields, lists: [news, offers] });
    expect((await api.standing(reader)).on).toEqual(["hidden", "news"]);
    await api.call("PATCH", `/lists/${hidden}/options`, { public: false });
    await api.call("PATCH", `/lists/${offers}/options`, { public: true });
  });
});

describe("leaving everything", () => {
  test("counts in the campaign's report, as the unsubscribe link does, once", async () => {
    const reader = await api.newReader();
    await api.choose(reader, { leave: "everything" });
    await api.visit(reader.unsubscribe, { method: "POST" });
    expect((await reportOf(api, reader.campaignId)).unsubscribed).toBe(1);
    expect(await api.standing(reader)).toMatchObject({ log: ["WITHDRAWN preferences *"] });
  });

  test("since when somebody is out does not count from a list that they left before", async () => {
    const reader = await api.newReader([news]);
    await api.choose(reader, { firstName: "" });
    const mailable = async () => (await api.call("GET", `/contacts/${reader.contactId}/mailable`)).body.data;
    expect(await mailable()).toEqual({ mailable: true, reasons: [] });
    await patch({ status: "UNSUBSCRIBED" })(reader);
    const { reasons } = await mailable();
    expect(reasons.find(({ code }: any) => code === "UNSUBSCRIBED").since).toBeNull();
  });
});

describe("a body that is no form", () => {
  const BODIES: readonly (readonly [what: string, body: () => string | FormData, type: string | null])[] = [
    ["JSON", () => JSON.stringify({ lists: [], leave: "everything" }), "application/json"],
    ["nothing at all", () => "", null],
    ["bytes of anything", () => "\0{\xff", "nonsense"],
    ["an empty form", () => "", "application/x-www-form-urlencoded"],
    ["broken multipart", () => "--x\r\nhalf", "multipart/form-data; boundary=x"],
    ["far too long", () => `firstName=${"x".repeat(300_000)}`, "application/x-www-form-urlencoded"],
    ["with too many fields", () => "lists=a&".repeat(2_000), "application/x-www-form-urlencoded"],
  ];
  test.each(BODIES)("(%s) changes nothing", async (what, body, type) => {
    const reader = await api.newReader([news], ADA);
    const before = await api.standing(reader);
    const headers: Record<string, string> = type === null ? {} : { "Content-Type": type };
    const sent = what === "nothing at all" ? null : body();
    const answer = await api.visit(reader.path, { method: "POST", body: sent, headers });
    expect(answer.status).toBe(200);
    expect(textOf(await readPage(answer))).not.toContain("saved");
    expect(await api.standing(reader)).toEqual(before);
  });

  test("multipart is a form", async () => {
    const reader = await api.newReader();
    const form = new FormData();
    for (const list of [news, offers]) form.append("lists", list);
    form.append("firstName", new File(["x"], "name.txt"));
    await api.visit(reader.path, { method: "POST", body: form });
    expect(await api.standing(reader)).toMatchObject({ on: ["news", "offers"], name: "" });
  });
});

describe("a link that is not ours", () => {
  test("is the 404 page of every broken link, and changes nobody", async () => {
    const reader = await api.newReader([news]);
    const before = await api.standing(reader);
    const token = tokenOf(reader.unsubscribe);
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const tokens = [
      tokenOf(reader.pixel),
      tokenOf(reader.links[0]!),
      tokensOf(secret, 1).unsubscribe,
      tokensOf(api.services.database.signingSecret, 2 ** 40).unsubscribe,
      `${token}=`,
      token.toLowerCase(),
      token.slice(0, -1),
      "x",
      "x".repeat(10_000),
      "%00",
      "..%2f..",
    ];
    const asked = await Promise.all(
      tokens.flatMap((one) => [
        api.visit(`/p/${one}`),
        api.visit(`/p/${one}`, { method: "POST", body: new URLSearchParams({ leave: "everything" }) }),
      ]),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]));
    const pages = await Promise.all(
      [...asked, await api.visit("/p"), await api.visit("/u/x")].map((one) => readPage(one)),
    );
    expect(new Set(pages).size).toBe(1);
    expect(await api.standing(reader)).toEqual(before);
  });

  test("of a test mail says so, by GET and POST, and changes nobody", async () => {
    const { unsubscribe } = tokensOf(api.services.database.signingSecret, 0);
    const total = (await api.call("GET", "/consents")).body.pagination.total;
    for (const path of [`/p/${unsubscribe}`, `/u/${unsubscribe}`])
      for (const method of ["GET", "POST"]) {
        const body = method === "POST" ? new URLSearchParams({ leave: "everything" }) : null;
        const answer = await api.visit(path, { method, body });
        expect([answer.status, textOf(await readPage(answer))]).toEqual([
          200,
          expect.stringContaining("This was a test"),
        ]);
      }
    expect((await api.call("GET", "/consents")).body.pagination.total).toBe(total);
  });

  test("of another workspace shows and takes only that workspace's lists", async () => {
    const reader = await api.newReader([news]);
    const other = await api.services.workspaces.create("Neighbours");
    const foreign = (await api.call("POST", "/lists", { name: "Foreign" }, other.key)).body.data.id;
    await api.call("PATCH", `/lists/${foreign}/options`, { public: true }, other.key);
    expect(await pageOf(reader)).not.toContain("Foreign");
    await api.choose(reader, { lists: [news, foreign] });
    expect(await api.standing(reader)).toMatchObject({ on: ["news"], log: [] });
    expect((await api.call("GET", `/lists/${foreign}`, undefined, other.key)).body.data.contactCount).toBe(0);
  });
});
