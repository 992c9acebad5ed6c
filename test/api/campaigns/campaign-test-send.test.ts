import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { BASE_URL, inNewWorkspace } from "../../support/server/api.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";
import { standingClock, usageOf } from "../../support/sending/sending-state.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  SENDER,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

const NOON = Date.parse("2026-11-22T12:00:00Z");
const clock = standingClock(NOON);
let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending({}, { clock });
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  await set(SENDER);
});
afterAll(() => service.stop());

const set = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);
const LETTER = {
  subject: "For {{ contact.firstName }}",
  body: '<p>Dear {{ contact.firstName }}</p><a href="https://example.org/x">Look</a>',
};
async function campaign(fields: object = {}, options: object = { personalize: true }): Promise<string> {
  const { id } = await newCampaign(api, { ...LETTER, ...fields });
  await api.call("PATCH", `/campaigns/${id}/options`, options);
  return id;
}
const send = (id: string, body: object) => api.call("POST", `/campaigns/${id}/test`, body);
const to = "me@example.com";
/** What the relay accepted for an address, as a mail program reads it. */
const mailsTo = (address: string) =>
  Promise.all(
    api.relay.accepted
      .filter(({ rcptTo }) => rcptTo.includes(address))
      .map(async ({ raw }) => ({ raw, mail: await PostalMime.parse(Buffer.from(raw, "latin1")) })),
  );
const fresh = (() => {
  let n = 0;
  return () => `tester-${++n}@example.com`;
})();
const unsubscribeUrlIn = (raw: string): string =>
  /^List-Unsubscribe:\s*<(https:[^>]+)>/im
    .exec(raw.replaceAll(/\r\n[ \t]+/g, ""))![1]!
    .replace(BASE_URL, api.url);

describe("a test", () => {
  test("goes to the addresses that are named, as this person would get it, and says what it is", async () => {
    const ada = await person(api, "ada@example.com", { firstName: "Ada" });
    const [one, two] = [fresh(), fresh()];
    const answer = await send(await campaign(), { to: [one.toUpperCase(), two], contactId: ada.id });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          sent: 2,
          failed: 0,
          skipped: 0,
          recipients: [
            { email: one, status: "SENT", reason: null },
            { email: two, status: "SENT", reason: null },
          ],
        },
      },
    ]);
    const mails = [...(await mailsTo(one)), ...(await mailsTo(two))];
    expect(mails.map(({ mail }) => mail.subject)).toEqual(["[Test] For Ada", "[Test] For Ada"]);
    expect(mails.map(({ mail }) => mail.to?.map(({ address }) => address))).toEqual([[one], [two]]);
    expect(mails[0]!.mail.html).toContain("<p>Dear Ada</p>");
    expect(mails[0]!.mail.html).toContain('href="https://example.org/x"');
    expect(mails[0]!.mail.html).not.toContain("<img");
    expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(2);
    expect(await mailsTo("ada@example.com")).toEqual([]);
  });

  test("without a contact is for an example person; an address alone is enough", async () => {
    const address = fresh();
    expect((await send(await campaign(), { to: address })).body.data.sent).toBe(1);
    expect((await mailsTo(address))[0]!.mail.subject).toBe("[Test] For Alex");
  });

  test("sent twice are two messages: nobody's mail program takes them for one", async () => {
    const [id, address] = [await campaign(), fresh()];
    await send(id, { to: address });
    await send(id, { to: address });
    expect(new Set((await mailsTo(address)).map(({ mail }) => mail.messageId)).size).toBe(2);
  });

  test("offers what a real send offers: Preferences where the workspace has public lists, and all links say what they are", async () => {
    const without = fresh();
    await send(await campaign(), { to: without });
    expect((await mailsTo(without))[0]!.raw).not.toContain("Preferences");
    const list = await listOf(api, "News", [(await person(api, fresh())).id]);
    await api.call("PATCH", `/lists/${list}/options`, { public: true });
    const [address, reader] = [fresh(), await person(api, fresh())];
    const listId = await listOf(api, "Readers", [reader.id]);
    const body = `${LETTER.body}<a href="{{ webVersionUrl }}">View</a>`;
    const id = await campaign({ listId, body });
    await send(id, { to: address });
    await api.call("POST", `/campaigns/${id}/send`);
    const [tried] = await mailsTo(address);
    const [real] = await mailsTo(reader.email);
    const pathsIn = (html = "") =>
      [...html.matchAll(/href="(https:[^"]+\/([upw])\/[^"]+)"/g)].map(([, url = "", path]) => ({
        path,
        url: url.replace(BASE_URL, api.url),
      }));
    const links = pathsIn(tried!.mail.html);
    expect(new Set(links.map(({ path }) => path))).toEqual(new Set(["p", "u", "w"]));
    expect(pathsIn(real!.mail.html).map(({ path }) => path)).toEqual(links.map(({ path }) => path));
    expect([tried!.mail.text, tried!.mail.html]).toEqual([
      expect.stringContaining("Preferences"),
      expect.stringContaining("Preferences"),
    ]);
    for (const { path, url } of links) {
      const page = await fetch(url);
      expect([path, page.status]).toEqual([path, 200]);
      expect(await page.text()).toContain("This was a test");
    }
  });

  test("of a SENT campaign, in quiet hours, above the cap and the limit goes out all the same", async () => {
    const reader = await person(api, fresh());
    const listId = await listOf(api, "Readers", [reader.id]);
    const id = await campaign({ listId });
    expect((await api.call("POST", `/campaigns/${id}/send`)).body.data.complete).toBe(true);
    await set({ quietHours: { fromMinute: 0, toMinute: 23 * 60 }, dailyCap: 1, monthlyLimit: 1 });
    const before = usageOf(api);
    expect((await send(id, { to: fresh() })).body.data.sent).toBe(1);
    expect(usageOf(api)).toEqual(before);
  });
});

describe("nothing of it counts", () => {
  test("in a stat, a figure, a limit, a report or anybody's timeline", async () => {
    const reader = await person(api, fresh(), { firstName: "Ada" });
    const id = await campaign();
    const seen = async () => [
      (await api.call("GET", `/campaigns/${id}`)).body,
      (await api.call("GET", `/campaigns/${id}/report`)).body,
      (await api.call("GET", `/campaigns/${id}/deliveries`)).body,
      (await api.call("GET", `/contacts/${reader.id}/timeline`)).body,
      (await api.call("GET", `/stats?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&step=day`)).body.data
        .totals,
      usageOf(api),
    ];
    const before = await seen();
    const answer = await send(id, { to: [reader.email, fresh()], contactId: reader.id });
    expect(answer.body.data.sent).toBe(2);
    expect(await seen()).toEqual(before);
  });

  test("and its unsubscribe link says that it was a test, and changes nobody", async () => {
    const reader = await person(api, fresh());
    await send(await campaign(), { to: reader.email, contactId: reader.id });
    const url = unsubscribeUrlIn((await mailsTo(reader.email))[0]!.raw);
    const body = "List-Unsubscribe=One-Click";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const init of [{}, { method: "POST", body, headers }, { method: "POST" }]) {
      const page = await fetch(url, init);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(await page.text()).toContain("This was a test");
    }
    expect((await api.call("GET", `/contacts/${reader.id}`)).body.data.status).toBe("SUBSCRIBED");
    expect([await suppressions(api), await consentLog(api)]).toEqual([{}, []]);
  });
});

describe("suppressed addresses are skipped", () => {
  test.each(["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] as const)("%s", async (reason) => {
    const [suppressed, other] = [fresh(), fresh()];
    await api.services.suppressions.add(api.workspaceId, suppressed, reason);
    const { data } = (await send(await campaign(), { to: [suppressed, other] })).body;
    expect(data).toEqual({
      sent: 1,
      failed: 0,
      skipped: 1,
      recipients: [
        { email: suppressed, status: "SKIPPED", reason: "SUPPRESSED" },
        { email: other, status: "SENT", reason: null },
      ],
    });
    expect(await mailsTo(suppressed)).toEqual([]);
  });

  test("everybody skipped is an answer", async () => {
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    const answer = await send(await campaign(), { to: "me@blocked.example" });
    expect([answer.status, answer.body.data.recipients[0].reason]).toEqual([200, "BLOCKED_DOMAIN"]);
  });
});

describe("what is refused sends nothing", () => {
  const accepted = () => api.relay.accepted.length;
  const refused = async (id: string, body: object, status: number, words: string) => {
    const before = accepted();
    const answer = await send(id, body);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(words)]);
    expect(accepted()).toBe(before);
    return answer;
  };

  test.each([
    ["nobody", {}, "`to` is required"],
    ["an empty list", { to: [] }, "`to` is required"],
    ["eleven", { to: Array.from({ length: 11 }, (_, i) => `r${i}@example.com`) }, "at most 10"],
    ["one twice", { to: ["a@example.com", "A@example.com "] }, "twice"],
    ["no address", { to: "nobody" }, "`to`"],
    ["an object", { to: [{ email: "a@example.com" }] }, "must be an address"],
  ])("%s", async (_what, body, words) => {
    await refused(await campaign(), body, 422, words);
  });

  test("a campaign or a contact that is not there, the campaign before the body", async () => {
    await refused("missing", { to: [] }, 404, "missing");
    await refused(await campaign(), { to, contactId: "missing" }, 404, "missing");
  });

  test("a workspace that may not send, has no address or no sender, and a letter that does not compile", async () => {
    const id = await campaign({ body: "<p>\n{% nope %}</p>" });
    await set({ suspended: true });
    await refused(id, { to }, 403, "suspended");
    await set({ suspended: false, mailingAddress: "" });
    await refused(id, { to }, 422, "mailing address");
    await set({ ...SENDER, fromEmail: "" });
    await refused(id, { to }, 422, "sender address");
    await set(SENDER);
    await refused(id, { to }, 422, "line 2, column 1");
  });
});

describe("sixty addresses an hour", () => {
  const ten = () => Array.from({ length: 10 }, fresh);

  test("and a call that would pass them is refused whole, with the time to wait", async () => {
    const id = await campaign();
    for (let call = 0; call < 5; call++) await send(id, { to: ten() });
    clock.at += 600_000;
    expect((await send(id, { to: ten().slice(1) })).body.data.sent).toBe(9);
    const before = api.relay.accepted.length;
    const answer = await send(id, { to: [fresh(), fresh()] });
    expect([answer.status, answer.body.error.code, answer.headers.get("retry-after")]).toEqual([
      429,
      "RATE_LIMITED",
      "3000",
    ]);
    expect(api.relay.accepted.length).toBe(before);
    expect((await send(id, { to: fresh() })).body.data.sent).toBe(1);
    expect((await send(id, { to: fresh() })).status).toBe(429);
    const other = await inNewWorkspace(service);
    await other.services.workspaces.changeSettings(other.workspaceId, SENDER);
    const theirs = await newCampaign(other, { subject: "Hi", body: "<p>Hi</p>" });
    expect((await other.call("POST", `/campaigns/${theirs.id}/test`, { to: fresh() })).status).toBe(200);
    clock.at += 3_000_000;
    expect((await send(id, { to: ten() })).body.data.sent).toBe(10);
  });
});

test("a test of a paused campaign goes out, and lets nothing else out", async () => {
  const paused = await startSending({ DOT: ({ rcptTo }) => (rcptTo[0] === address ? undefined : stall) });
  const address = fresh();
  const id = await makeCampaign(paused, (await makeAudience(paused, 30)).listId);
  void paused.call("POST", `/campaigns/${id}/send`).catch(() => undefined);
  await paused.relay.reached("DOT", 2);
  await paused.call("POST", `/campaigns/${id}/pause`);
  const before = await reportOf(paused, id);
  expect(before.blocked).toContain("paused");
  const answer = await paused.call("POST", `/campaigns/${id}/test`, { to: address });
  expect(answer.body.data).toMatchObject({ sent: 1, failed: 0, skipped: 0 });
  expect(paused.relay.accepted.map(({ rcptTo }) => rcptTo)).toEqual([[address]]);
  expect(await reportOf(paused, id)).toEqual(before);
  await paused.stop({ graceMs: 0 });
});
