import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refusal, startApi, type TestApi } from "../../support/server/api.ts";
import { freeze, LETTER, markSent, newCampaign, newList, rowOf } from "../../support/sending/campaigns.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.services.workspaces.changeSettings(api.workspaceId, {
    fromEmail: "news@shop.example.org",
    senderDomains: ["letters.example.net", "shop.example"],
  });
});
afterAll(() => api.stop());

const DEFAULTS = {
  format: "html",
  personalize: false,
  preheader: "",
  text: null,
  fromName: null,
  fromEmail: null,
  replyTo: null,
  segmentId: null,
  excludeListIds: [],
  excludeSegmentIds: [],
  trackOpens: null,
  trackClicks: null,
  utm: null,
  topic: null,
};

const RULES = { field: "tag", op: "equals", value: "vip" };
const newSegment = async (key = api.key): Promise<string> =>
  (await api.call("POST", "/segments", { name: "VIP", rules: RULES }, key)).body.data.id;
const options = (id: string) => api.call("GET", `/campaigns/${id}/options`);
const change = (id: string, body: unknown) => api.call("PATCH", `/campaigns/${id}/options`, body);
const INVALID = [422, "VALIDATION_ERROR"];
const NOT_FOUND = [404, "NOT_FOUND"];

test("a new campaign has the defaults, in the order of the document", async () => {
  const { id } = await newCampaign(api);
  const { status, body } = await options(id);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toBe(JSON.stringify({ data: DEFAULTS }));
});

test("every option is kept, shown by PATCH and GET alike, and those that were not sent stay", async () => {
  const { id } = await newCampaign(api);
  const [segmentId, excludedSegment, excludedList] = [
    await newSegment(),
    await newSegment(),
    await newList(api),
  ];
  const wanted: Record<string, unknown> = {
    format: "mjml",
    personalize: true,
    preheader: "Snow, and three books",
    text: "Dear readers,\n\nthree books.\n",
    fromName: "Ada",
    fromEmail: "ada@letters.example.net",
    replyTo: "office@elsewhere.example",
    segmentId,
    excludeListIds: [excludedList],
    excludeSegmentIds: [excludedSegment],
    trackOpens: false,
    trackClicks: true,
    utm: { source: "newsletter", medium: "email", campaign: "november" },
    topic: "monthly",
  };
  expect(Object.keys(wanted)).toEqual(Object.keys(DEFAULTS));
  let expected: Record<string, unknown> = DEFAULTS;
  for (const [name, value] of Object.entries(wanted)) {
    expected = { ...expected, [name]: value };
    const changed = await change(id, { [name]: value });
    expect([name, changed.status, changed.body.data]).toEqual([name, 200, expected]);
    expect((await options(id)).body.data).toEqual(expected);
  }
  for (const body of [undefined, "", "{", "[]", {}, { unknown: 1 }])
    expect((await change(id, body)).body.data).toEqual(expected);
  expect((await api.call("GET", `/campaigns/${id}`)).body.data).not.toHaveProperty("segmentId");
});

/** What is sent, and what is then shown of it, or a word of the refusal. */
const VALUES: [string, Record<string, unknown>, unknown][] = [
  ["format", { format: "html" }, "html"],
  ["format", { format: "HTML" }, /`format` must be `html` or `mjml`/],
  ["format", { format: "markdown" }, /`format` must be/],
  ["format", { format: null }, "html"],
  ["format", { format: 1 }, /`format`/],
  ["personalize", { personalize: "yes" }, /`personalize`/],
  ["personalize", { personalize: null }, false],
  ["preheader", { preheader: "  Snow\n" }, "Snow"],
  ["preheader", { preheader: "p".repeat(998) }, "p".repeat(998)],
  ["preheader", { preheader: "p".repeat(999) }, /`preheader` is longer than 998/],
  ["preheader", { preheader: "one\ntwo" }, /one line/],
  ["preheader", { preheader: 7 }, /`preheader`/],
  ["text", { text: "" }, null],
  ["text", { text: " \n" }, null],
  ["text", { text: "  as written \n" }, "  as written \n"],
  ["text", { text: "t".repeat(524_288) }, "t".repeat(524_288)],
  ["text", { text: "ü".repeat(262_145) }, /524290 bytes/],
  ["text", { text: ["a"] }, /`text`: expected string or null/],
  ["fromName", { fromName: "n".repeat(201) }, /`fromName` is longer than 200/],
  ["fromName", { fromName: "Ada\r\nBcc: eve@example.com" }, /one line/],
  ["fromName", { fromName: " " }, null],
  ["fromEmail", { fromEmail: "ADA@Shop.Example.ORG" }, "ada@shop.example.org"],
  ["fromEmail", { fromEmail: "ada@letters.example.net" }, "ada@letters.example.net"],
  [
    "fromEmail",
    { fromEmail: "ada@mail.letters.example.net" },
    /must be an address at shop\.example\.org or letters/,
  ],
  ["fromEmail", { fromEmail: "ada@elsewhere.example" }, /senderDomains/],
  ["fromEmail", { fromEmail: "Ada <ada@shop.example.org>" }, /`fromEmail`/],
  ["fromEmail", { fromEmail: null }, null],
  ["fromEmail", { fromEmail: "" }, null],
  ["replyTo", { replyTo: "office@bücher.example" }, "office@xn--bcher-kva.example"],
  ["replyTo", { replyTo: "nobody" }, /`replyTo`/],
  ["segmentId", { segmentId: "" }, null],
  ["segmentId", { segmentId: 3 }, /`segmentId`/],
  ["excludeListIds", { excludeListIds: null }, []],
  ["excludeListIds", { excludeListIds: "list" }, /`excludeListIds`/],
  ["excludeListIds", { excludeListIds: [1] }, /`excludeListIds/],
  [
    "excludeSegmentIds",
    { excludeSegmentIds: Array.from({ length: 101 }, (_, i) => `s${i}`) },
    /more than 100/,
  ],
  ["trackOpens", { trackOpens: true }, true],
  ["trackOpens", { trackOpens: null }, null],
  ["trackOpens", { trackOpens: "on" }, /`trackOpens`: expected boolean or null/],
  ["trackClicks", { trackClicks: 0 }, /`trackClicks`/],
  ["utm", { utm: { source: " news " } }, { source: "news", medium: "", campaign: "" }],
  ["utm", { utm: { source: "n", medium: null } }, { source: "n", medium: "", campaign: "" }],
  ["utm", { utm: {} }, /`utm` needs/],
  ["utm", { utm: { source: " " } }, /`utm` needs/],
  ["utm", { utm: { source: 1 } }, /`utm.source` must be a string/],
  ["utm", { utm: { source: "a\nb" } }, /`utm.source` must be one line/],
  ["utm", { utm: { source: "a".repeat(201) } }, /`utm.source` is longer/],
  ["utm", { utm: { source: "a", content: "x" } }, /utm_content/],
  ["utm", { utm: "newsletter" }, /`utm`: expected object or null/],
  ["utm", { utm: null }, null],
  ["topic", { topic: "t".repeat(64) }, "t".repeat(64)],
  ["topic", { topic: "t".repeat(65) }, /longer than 64/],
  ["topic", { topic: "two words" }, /one word/],
  ["topic", { topic: "" }, null],
  ["topic", { topic: null }, null],
];

describe("PATCH /campaigns/{id}/options reads each member", () => {
  test.each(
    VALUES.map(([name, body, result]) => [name, JSON.stringify(body).slice(0, 80), body, result] as const),
  )("%s: %s", async (name, _, body, result) => {
    const { id } = await newCampaign(api);
    const answer = await change(id, body);
    if (result instanceof RegExp) {
      expect([refusal(answer), answer.body.error.message]).toEqual([INVALID, expect.stringMatching(result)]);
      expect((await options(id)).body.data).toEqual(DEFAULTS);
    } else {
      expect([answer.status, answer.body]).toEqual([200, { data: { ...DEFAULTS, [name]: result } }]);
    }
  });

  test("ids that are named twice are kept once, in order", async () => {
    const { id } = await newCampaign(api);
    const [one, two] = [await newList(api), await newList(api)];
    expect((await change(id, { excludeListIds: [two, one, two] })).body.data.excludeListIds).toEqual([
      two,
      one,
    ]);
  });

  test("one bad member, and nothing is changed", async () => {
    const { id } = await newCampaign(api);
    expect(refusal(await change(id, { preheader: "Snow", topic: "two words" }))).toEqual(INVALID);
    expect(refusal(await change(id, { preheader: "Snow", segmentId: "seg_of_nobody" }))).toEqual(NOT_FOUND);
    expect((await options(id)).body.data).toEqual(DEFAULTS);
  });

  test("names of other services are refused with the name of ours", async () => {
    const { id } = await newCampaign(api);
    const answer = await change(id, { previewText: "Snow" });
    expect([refusal(answer), answer.body.error.message]).toEqual([
      INVALID,
      expect.stringContaining("`preheader`"),
    ]);
  });
});

test("a list or segment of nobody or of another workspace is 404, after the body was checked", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  const [theirList, theirSegment] = [await newList(api, other.key), await newSegment(other.key)];
  const { id } = await newCampaign(api);
  for (const body of [
    { segmentId: "seg_of_nobody" },
    { segmentId: theirSegment },
    { excludeSegmentIds: [await newSegment(), theirSegment] },
    { excludeListIds: [await newList(api), theirList] },
    { excludeListIds: ["list_of_nobody"] },
  ]) {
    const answer = await change(id, body);
    expect([body, refusal(answer)]).toEqual([body, NOT_FOUND]);
    expect(refusal(await change(id, { ...body, topic: "two words" }))).toEqual(INVALID);
    expect(refusal(await change(id, { ...body, fromEmail: "ada@elsewhere.example" }))).toEqual(INVALID);
  }
  expect((await options(id)).body.data).toEqual(DEFAULTS);
});

describe("options are frozen with the campaign", () => {
  const states: Record<string, (id: string) => Promise<unknown>> = {
    "being sent": (id) => freeze(api, id, { queued: 1 }),
    SENT: async (id) => {
      await freeze(api, id);
      await markSent(api, id);
    },
  };

  test.each(Object.keys(states))(
    "%s: CAMPAIGN_ALREADY_SENT, before the body is looked at; reading works",
    async (state) => {
      const { id } = await newCampaign(api, { listId: await newList(api) });
      await change(id, { preheader: "Snow" });
      await states[state]!(id);
      const before = rowOf(api, id);
      for (const body of [{ preheader: "Rain" }, { topic: "two words" }, { segmentId: "seg_of_nobody" }, {}])
        expect(refusal(await change(id, body))).toEqual([422, "CAMPAIGN_ALREADY_SENT"]);
      expect(rowOf(api, id)).toEqual(before);
      expect((await options(id)).body.data.preheader).toBe("Snow");
      expect((await api.call("GET", `/campaigns/${id}/content`)).body.data.preheader).toBe("Snow");
    },
  );
});

test("content is what was stored, and exactly the documented members", async () => {
  const body = '<mjml>\n  <p data-x="1">{{ contact.firstName }}</p>\n</mjml>\n';
  const { id } = await newCampaign(api, { body });
  const content = () => api.call("GET", `/campaigns/${id}/content`);
  expect((await content()).body).toEqual({
    data: { subject: LETTER.subject, body, format: "html", preheader: "", text: null },
  });
  await change(id, { format: "mjml", preheader: "Snow", text: "By hand.\n" });
  await api.call("PATCH", `/campaigns/${id}`, { subject: "Frost" });
  expect((await content()).body).toEqual({
    data: { subject: "Frost", body, format: "mjml", preheader: "Snow", text: "By hand.\n" },
  });
  expect((await api.call("GET", `/campaigns/${id}`)).body.data).not.toHaveProperty("body");
});
