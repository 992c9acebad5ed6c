import { afterEach, describe, expect, test } from "bun:test";
import { freeze, LETTER, markSent, newCampaign } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import {
  beginSend,
  makeAudience,
  makeCampaign,
  makeLongList,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { sendState } from "../../support/sending/sending-state.ts";
import { isPostgres, writeTo } from "../../support/server/services.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const check = (id: string, body?: unknown) => api.call("POST", `/campaigns/${id}/check`, body);
const change = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}/options`, body);
const segmentOf = async (tag: string): Promise<string> =>
  (await api.call("POST", "/segments", { name: tag, rules: { field: "tag", op: "equals", value: tag } })).body
    .data.id;

describe("POST /campaigns/{id}/check", () => {
  const PEOPLE = [
    "ada@example.com",
    "grace@example.com",
    "ken@example.com",
    "sam@example.com",
    "bob@blocked.example",
  ];

  /** Ada is excluded by a segment, Grace by the call, Sam is suppressed, Bob's domain is blocked. */
  async function stage(): Promise<string> {
    api = await startSending();
    const { listId } = await makeAudience(api, PEOPLE);
    await person(api, "ada@example.com", { tags: ["staff"] });
    await api.services.suppressions.add(api.workspaceId, "sam@example.com", "MANUAL");
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    const id = await makeCampaign(api, listId);
    await change(id, { excludeSegmentIds: [await segmentOf("staff")] });
    return id;
  }

  test("counts who would get it and who would not, as the send that follows does; and changes nothing", async () => {
    const id = await stage();
    const body = { excludeEmails: ["GRACE@example.com", "nobody"] };
    const before = sendState(api);
    const { status, body: answer } = await check(id, body);
    expect(sendState(api)).toEqual(before);
    expect([status, answer]).toEqual([
      200,
      {
        data: {
          recipients: 1,
          skipped: { EXCLUDED: 2, SUPPRESSED: 1, BLOCKED_DOMAIN: 1 },
          refusal: null,
          estimatedSeconds: 1,
        },
      },
    ]);
    expect(api.relay.transactions).toBe(0);
    expect((await send(api, id, body)).body.data).toMatchObject({ sent: 1, complete: true });
    const report = (await api.call("GET", `/campaigns/${id}/report`)).body.data;
    expect([report.sent, report.skipped]).toEqual([answer.data.recipients, answer.data.skipped]);
  });

  test("says how many there are also where something stands in the way; without list and segment there is nobody", async () => {
    const id = await stage();
    await api.services.workspaces.changeSettings(api.workspaceId, { mailingAddress: "" });
    expect((await check(id)).body.data).toMatchObject({
      recipients: 2,
      refusal: { code: "VALIDATION_ERROR" },
    });
    const { id: empty } = await newCampaign(api);
    expect((await check(empty)).body.data).toMatchObject({
      recipients: 0,
      skipped: {},
      refusal: { code: "VALIDATION_ERROR", message: expect.stringContaining("no segment") },
      estimatedSeconds: 0,
    });
  });

  test("a body of wrong types is 422, an unreadable one is none, and an unknown campaign is 404 before it", async () => {
    const id = await stage();
    expect((await check(id, { excludeEmails: "everybody" })).status).toBe(422);
    expect((await check(id, "{")).body.data.recipients).toBe(2);
    expect((await check("cmp_nobody", { excludeEmails: "everybody" })).status).toBe(404);
  });

  test("of a SENT campaign: what a send would answer; of one under way: who is still owed", async () => {
    api = await startSending({ MAIL: stall });
    const { listId } = await makeAudience(api, 3);
    const sent = await makeCampaign(api, listId);
    await freeze(api, sent, { planned: 0 });
    await markSent(api, sent);
    const answer = await send(api, sent);
    expect((await check(sent)).body.data).toEqual({
      recipients: 0,
      skipped: {},
      refusal: answer.body.error,
      estimatedSeconds: 0,
    });
    const id = await makeCampaign(api, listId);
    beginSend(api, id, { excludeEmails: ["reader-1@example.com"] });
    await api.relay.reached("MAIL");
    expect((await check(id)).body.data).toMatchObject({
      recipients: 2,
      skipped: { EXCLUDED: 1 },
      refusal: null,
    });
  });

  test("goes by the pace of the workspace's last campaigns, the best of them; short ones do not tell", async () => {
    api = await startSending();
    const listId = await makeLongList(api, 1_000);
    const id = await makeCampaign(api, listId);
    expect((await check(id)).body.data).toMatchObject({ recipients: 1_000, estimatedSeconds: 20 });
    for (const [accepted, seconds] of [
      [99, 1],
      [500, 50],
      [500, 100],
    ] as const) {
      const past = await makeCampaign(api, listId);
      await freeze(api, past, { accepted, sent: accepted, planned: accepted, started_at: 1_000 });
      await markSent(api, past, 1_000 + seconds * 1_000);
    }
    expect((await check(id)).body.data.estimatedSeconds).toBe(100);
    await writeTo(
      api,
      `UPDATE ${isPostgres ? "tallies" : "mailings"} SET accepted = 0, sent = 0, planned = 0 WHERE planned IN (99, 500)`,
    );
  });
});

describe("estimatedSeconds", () => {
  const HOUR_S = 3_600;
  const NOW = Date.UTC(2026, 11, 1, 20);

  test("knows the warm-up and the limits of domains, of those who would get it alone", async () => {
    api = await startSending({}, { clock: manualClock(NOW) });
    const people = Array.from(
      { length: 30 },
      (_, n) => `reader-${n}@${n < 20 ? "gmail.com" : "example.com"}`,
    );
    const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
    const estimated = async (settings: object, body?: object): Promise<number> => {
      expect((await api.call("PATCH", "/settings", settings)).status).toBe(200);
      return (await check(id, body)).body.data.estimatedSeconds;
    };
    expect(await estimated({ domainLimits: { "gmail.com": { connections: 1 } } })).toBe(1);
    const domainLimits = { "gmx.de": { perHour: 1 }, "googlemail.com,gmail.com": { perHour: 10 } };
    expect(await estimated({ domainLimits })).toBe(HOUR_S);
    const excludeEmails = people.slice(0, 10);
    expect(await estimated({}, { excludeEmails })).toBe(1);
    await api.services.suppressions.add(api.workspaceId, "reader-15@gmail.com", "MANUAL");
    expect(await estimated({}, { excludeEmails: excludeEmails.slice(1) })).toBe(1);
    expect(await estimated({ warmUp: "20 0% 9 2026-12-01" })).toBe(4 * HOUR_S + 1);
    expect(await estimated({ warmUp: "20 0% 9 2026-12-01", timezone: "Europe/Berlin" })).toBe(3 * HOUR_S + 1);
    expect(await estimated({ warmUp: null, domainLimits: null })).toBe(1);
  });
});

describe("POST /campaigns/{id}/duplicate", () => {
  const duplicate = (id: string) => api.call("POST", `/campaigns/${id}/duplicate`);
  const get = async (path: string) => (await api.call("GET", path)).body.data;

  test("makes a DRAFT of the same list, content and options, of a SENT campaign too; the first stays as it is", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, 2);
    const segmentId = await segmentOf("vip");
    const { id } = await newCampaign(api, { listId });
    const options = {
      format: "mjml",
      personalize: true,
      preheader: "Snow",
      text: "By hand.\n",
      segmentId,
      excludeListIds: [listId],
      fromEmail: "ada@shop.example.org",
      utm: { source: "n", medium: "", campaign: "" },
      topic: "monthly",
    };
    await change(id, options);
    await freeze(api, id);
    await markSent(api, id);
    const before = sendState(api);
    const { status, body } = await duplicate(id);
    expect([status, body.data]).toEqual([
      201,
      {
        ...(await get(`/campaigns/${id}`)),
        id: body.data.id,
        name: `Copy of ${LETTER.name}`,
        status: "DRAFT",
        sentAt: null,
        createdAt: body.data.createdAt,
      },
    ]);
    expect(body.data.id).not.toBe(id);
    for (const part of ["content", "options"])
      expect(await get(`/campaigns/${body.data.id}/${part}`)).toEqual(await get(`/campaigns/${id}/${part}`));
    for (const table of ["mailings", "deliveries", "contacts", "sending_usage"])
      expect(sendState(api)[table]).toEqual(before[table]);
    expect((await api.call("DELETE", `/segments/${segmentId}`)).body.error.message).toContain("Copy of");
    await change(body.data.id, { segmentId: null, preheader: "Rain" });
    expect((await get(`/campaigns/${id}/options`)).preheader).toBe("Snow");
  });

  test("of a campaign whose segment was deleted is for nobody, never for the whole list", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, 2);
    const segmentId = await segmentOf("vip");
    const { id } = await newCampaign(api, { listId });
    await change(id, { segmentId });
    await freeze(api, id);
    await markSent(api, id);
    await api.call("DELETE", `/segments/${segmentId}`);
    const copy = (await duplicate(id)).body.data.id;
    expect((await get(`/campaigns/${copy}/options`)).segmentId).toBe(segmentId);
    expect((await send(api, copy)).body.error.message).toContain("Nobody is left");
  });

  test("keeps the name within its limit, by whole characters", async () => {
    api = await startSending();
    const nameOf = async (name: string) =>
      (await duplicate((await newCampaign(api, { name })).id)).body.data.name;
    expect(await nameOf("n".repeat(192))).toBe(`Copy of ${"n".repeat(192)}`);
    expect(await nameOf("n".repeat(193))).toBe(`Copy of ${"n".repeat(191)}…`);
    expect(await nameOf("🌱".repeat(200))).toBe(`Copy of ${"🌱".repeat(191)}…`);
    expect((await duplicate("cmp_nobody")).status).toBe(404);
  });
});

describe("POST /campaigns/{id}/schedule", () => {
  const at = { scheduledAt: "2040-01-01T00:00:00Z" };
  const schedule = (id: string, body: object = at) => api.call("POST", `/campaigns/${id}/schedule`, body);

  test.each<[string, object, string, RegExp]>([
    ["Liquid", { personalize: true }, "<p>\n{% if x %}</p>", /line 2/],
    ["Liquid of the preheader", { personalize: true, preheader: "{{ x" }, "<p>x</p>", /preheader/],
    ["MJML", { format: "mjml" }, "<mjml>\n<mj-body>\n<mj-nothing></mj-body></mjml>", /line \d/],
  ])(
    "refuses %s that does not compile last, with its place, and changes nothing",
    async (_, options, body, says) => {
      api = await startSending();
      const { id } = await newCampaign(api, { body });
      await change(id, options);
      expect((await schedule(id, {})).body.error.message).toContain("scheduledAt");
      expect((await schedule(id)).body.error.message).toContain("no list");
      await api.call("PATCH", `/campaigns/${id}`, { listId: (await makeAudience(api, 1)).listId });
      const before = sendState(api);
      const refused = await schedule(id);
      expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
        422,
        "VALIDATION_ERROR",
        expect.stringMatching(says),
      ]);
      expect(sendState(api)).toEqual(before);
      await change(id, { personalize: false, format: "html", preheader: "" });
      // MJML is no HTML: it needs another body.
      if (body.startsWith("<mjml>")) await api.call("PATCH", `/campaigns/${id}`, { body: "<p>x</p>" });
      expect((await schedule(id)).status).toBe(200);
    },
  );
});

describe("GET /campaigns/{id}/check/contacts", () => {
  const peopleOf = async (id: string, reason: string, more = "") => {
    const { status, body } = await api.call("GET", `/campaigns/${id}/check/contacts?reason=${reason}${more}`);
    return status === 200
      ? body.data.map(({ email }: { email: string }) => email)
      : [status, body.error.code];
  };

  test("names the people behind each number of the dry run, each once", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, [
      "ada@example.com",
      "bob@blocked.example",
      "sam@example.com",
      "sue@example.com",
    ]);
    await person(api, "ada@example.com", { tags: ["staff"] });
    for (const email of ["sam@example.com", "sue@example.com", "ada@example.com"])
      await api.services.suppressions.add(api.workspaceId, email, "MANUAL");
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    const waiting = await person(api, "kim@example.com", { status: "PENDING" });
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: waiting.id });
    const id = await makeCampaign(api, listId);
    await change(id, { excludeSegmentIds: [await segmentOf("staff")] });

    const { skipped } = (await check(id)).body.data;
    expect(skipped).toEqual({ EXCLUDED: 1, SUPPRESSED: 2, BLOCKED_DOMAIN: 1 });
    expect(await peopleOf(id, "EXCLUDED")).toEqual(["ada@example.com"]);
    expect(await peopleOf(id, "BLOCKED_DOMAIN")).toEqual(["bob@blocked.example"]);
    expect(await peopleOf(id, "NOT_SUBSCRIBED")).toEqual(["kim@example.com"]);
    const suppressed = await peopleOf(id, "SUPPRESSED");
    expect(suppressed.toSorted()).toEqual(["sam@example.com", "sue@example.com"]);
    expect((await api.call("GET", `/campaigns/${id}/check/contacts`)).body.pagination.total).toBe(4);
    const first = (await api.call("GET", `/campaigns/${id}/check/contacts?reason=SUPPRESSED&limit=1`)).body;
    expect([first.data[0].email, first.pagination.total]).toEqual([suppressed[0], 2]);
    const { nextCursor } = first.pagination;
    expect(await peopleOf(id, "SUPPRESSED", `&limit=1&after=${nextCursor}`)).toEqual([suppressed[1]]);
  });

  test("refuses other reasons, has nobody without an audience, and leaves a send that began to its deliveries", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    const id = await makeCampaign(api, listId);
    expect(await peopleOf(id, "")).toEqual([]);
    expect(await peopleOf(id, "excluded")).toEqual([422, "VALIDATION_ERROR"]);
    expect(await peopleOf("cmp_nothing", "nonsense")).toEqual([404, "NOT_FOUND"]);
    expect(await peopleOf(await makeCampaign(api, null), "EXCLUDED")).toEqual([]);
    await send(api, id);
    expect(await peopleOf(id, "EXCLUDED")).toEqual([422, "WRONG_STATE"]);
  });
});
