import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  formIn,
  startPreferences,
  type PreferencesApi,
  type Reader,
} from "../../support/people/preferences.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";
import { reportOf } from "../../support/sending/sending.ts";

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
    expect(fields).toEqual({
      shown: `${news} ${offers}`,
      ticked: offers,
      firstName: "Grace",
      lastName: "Hopper",
    });
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
const ADA = { firstName: "Ada", lastName: "Lovelace" };
const patch = (body: object) => (reader: Reader) => api.call("PATCH", `/contacts/${reader.contactId}`, body);

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
    await api.choose(reader, { ...first, lists: [news, offers] });
    await api.choose(reader, { ...first, lists: [] });
    expect(await api.standing(reader)).toMatchObject({
      on: [],
      log: ["GIVEN preferences offers", "WITHDRAWN preferences news", "WITHDRAWN preferences offers"],
    });
  });

  test("a list that was left in one is not joined by the other, where its box was ticked already", async () => {
    const reader = await api.newReader([news, offers]);
    const { fields } = formIn(await pageOf(reader));
    await api.choose(reader, { ...fields, lists: [news] });
    await api.choose(reader, { ...fields, lists: [news, offers], firstName: "Ada" });
    expect(await api.standing(reader)).toMatchObject({
      name: "Ada",
      on: ["news"],
      log: ["WITHDRAWN preferences offers"],
    });
    const latest = formIn(await pageOf(reader)).fields;
    await api.choose(reader, { ...latest, lists: [news, offers] });
    expect((await api.standing(reader)).on).toEqual(["news", "offers"]);
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

describe("the unsubscribe page", () => {
  const offersChoice = async ({ unsubscribe, path }: Reader) =>
    (await readPage(await api.visit(unsubscribe))).includes(`href="${path}"`);

  test("offers to choose to whoever can, and not to who has left: there is nothing for them", async () => {
    const [reader, other] = [await api.newReader([news]), await api.newReader([news])];
    expect([await offersChoice(reader), await offersChoice(other)]).toEqual([true, true]);
    await api.visit(reader.unsubscribe, { method: "POST" });
    await patch({ status: "UNSUBSCRIBED" })(other);
    expect([await offersChoice(reader), await offersChoice(other)]).toEqual([false, false]);
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
