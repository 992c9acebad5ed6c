import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { startReaders, type Letter, type ReadersApi } from "../../support/people/readers.ts";
import { standingClock } from "../../support/sending/sending-state.ts";
import { rowsOf } from "../../support/sending/sending.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";
import { HOUR } from "../../support/common/durations.ts";

const [A, B, C] = ["a", "b", "c"].map((page) => `https://shop.example.org/${page}`) as [
  string,
  string,
  string,
];
const BODY = `<p><a href="${A}">A</a> <a href="${B}">B</a> <a href="${C}">C</a> <a href="${A}">A again</a></p>`;
const SCANNER = { headers: { "user-agent": "BarracudaCentral/1.0" } };
const clock = standingClock(Date.UTC(2026, 10, 21, 9, 40));

let api: ReadersApi;
let reader = 0;
beforeAll(async () => {
  api = await startReaders({ clock });
});
afterAll(async () => {
  const faults = await api.place.ledgerFaults(api.services);
  await api.stop();
  expect(faults).toEqual([]);
});

const mailTo = async (people: number) => {
  const addresses = Array.from({ length: people }, () => `reader-${++reader}@example.com`);
  const { campaignId, letters } = await api.mailTo(addresses, { body: BODY });
  return { id: campaignId, letters: letters as Letter[], addresses };
};
const get = (path: string) => api.call("GET", path);
const linksOf = async (id: string) => {
  await api.services.tracking.drain();
  return (await get(`/campaigns/${id}/links`)).body.data;
};
const linkOf = ({ links }: Letter, number: number): string =>
  links.find((link) => link.endsWith(`/${number}`))!;

describe("GET /campaigns/{id}/links", () => {
  test("is empty before the send, and then has every link of the letter", async () => {
    const draft = await newCampaign(api, { body: BODY });
    expect((await get(`/campaigns/${draft.id}/links`)).body).toEqual({ data: [] });
    const { id } = await mailTo(1);
    expect(await linksOf(id)).toEqual([A, B, C].map((url) => ({ url, clicks: 0, recipients: 0 })));
  });

  test("counts every click, each person once, no machine; the most clicked first", async () => {
    const { id, letters } = await mailTo(2);
    const [ada, grace] = letters as [Letter, Letter];
    for (let i = 0; i < 3; i++) await api.visit(linkOf(ada, 1));
    await api.services.tracking.drain();
    await api.visit(linkOf(ada, 1));
    await api.visit(linkOf(grace, 1));
    await api.visit(linkOf(grace, 2));
    await api.visit(linkOf(grace, 0), { method: "HEAD" });
    await api.visit(linkOf(grace, 0), SCANNER);
    expect(await linksOf(id)).toEqual([
      { url: B, clicks: 5, recipients: 2 },
      { url: C, clicks: 1, recipients: 1 },
      { url: A, clicks: 0, recipients: 0 },
    ]);
  });

  test("of a personal letter has the addresses that people were led to, and no others", async () => {
    const { id, letters } = await mailTo(2);
    const [first] = rowsOf(api, id);
    const seq = first!.seq;
    await writeTo(
      api,
      `INSERT INTO campaign_options (campaign, options) SELECT seq, '{"personalize":true}' FROM campaigns WHERE id = ?
       ON CONFLICT (campaign) DO UPDATE SET options = excluded.options`,
      id,
    );
    await writeTo(api, "INSERT INTO delivery_links VALUES (?, 0, ?)", seq, `${A}?who=ada`);
    for (const letter of letters) await api.visit(linkOf(letter, 0));
    const links = await linksOf(id);
    expect(links.map(({ url }: { url: string }) => url).toSorted()).toEqual([A, `${A}?who=ada`]);
    expect(links[0]).toMatchObject({ clicks: 1, recipients: 1 });
  });

  test("a click on mail that is no campaign's is in no campaign's links", async () => {
    const clicks = () => rowsFrom(api, "SELECT * FROM link_clicks ORDER BY seq");
    const before = clicks();
    const { letters } = await mailTo(1);
    await writeTo(api, "UPDATE mailings SET kind = 'automation' WHERE seq = (SELECT max(seq) FROM mailings)");
    await api.visit(linkOf(letters[0]!, 0));
    await api.services.tracking.drain();
    expect(clicks()).toEqual(before);
    await writeTo(api, "DELETE FROM mailing_activity WHERE mailing = (SELECT max(seq) FROM mailings)");
  });
});

describe("GET /campaigns/{id}/timeline", () => {
  const timelineOf = async (id: string, step = "hour") =>
    (await get(`/campaigns/${id}/timeline?step=${step}`)).body.data;

  test("is empty before the first message; another step is refused", async () => {
    const { id } = await newCampaign(api);
    expect(await get(`/campaigns/${id}/timeline`)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await get(`/campaigns/${id}/timeline?step=week`)).toMatchObject({
      status: 422,
      body: { error: { message: "`step` has to be `hour` or `day`." } },
    });
  });

  test("has every step from the first message until now, empty ones too, each person once", async () => {
    const { id, letters } = await mailTo(3);
    clock.at += 5 * HOUR;
    const [ada, grace] = letters as [Letter, Letter];
    for (let i = 0; i < 2; i++) await api.visit(ada.pixel);
    await api.visit(linkOf(ada, 0));
    await api.visit(linkOf(ada, 1));
    await api.visit(grace.unsubscribe, { method: "POST" });
    await api.services.tracking.drain();
    const steps = await timelineOf(id);
    expect(steps.length).toBe(6);
    const none = { sent: 0, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0 };
    expect(steps.map(({ at: _at, ...figures }: any) => figures)).toEqual([
      { ...none, sent: 3 },
      none,
      none,
      none,
      none,
      { ...none, opened: 1, clicked: 1, unsubscribed: 1 },
    ]);
    const times = steps.map(({ at }: { at: string }) => Date.parse(at));
    expect(times.map((at: number) => at - times[0]!)).toEqual([0, 1, 2, 3, 4, 5].map((n) => n * HOUR));
    expect(times[0] % HOUR).toBe(0);
  });

  test("of days begins them in the workspace's time zone, and shows at most the first 1,000 steps", async () => {
    const { id } = await mailTo(1);
    clock.at += 1_200 * 24 * HOUR;
    await api.services.workspaces.changeSettings(api.workspaceId, { timezone: "Asia/Kolkata" });
    const days = await timelineOf(id, "day");
    expect([days.length, days[0].sent]).toEqual([1_000, 1]);
    expect(days[0].at).toEndWith("T18:30:00.000Z");
    expect((await timelineOf(id)).length).toBe(1_000);
    await api.services.workspaces.changeSettings(api.workspaceId, { timezone: "UTC" });
  });
});

describe("GET /campaigns/{id}/deliveries by email", () => {
  test("finds the one message, however the address is written, and with the state only where it fits", async () => {
    const { id, addresses } = await mailTo(3);
    const path = `/campaigns/${id}/deliveries?email=`;
    const found = (await get(`${path}${encodeURIComponent(` ${addresses[1]!.toUpperCase()} `)}`)).body;
    expect(found.data.map(({ email }: any) => email)).toEqual([addresses[1]]);
    expect(found.pagination).toEqual({ total: 1, limit: 20, hasMore: false, nextCursor: null });
    expect((await get(`${path}${addresses[1]}&state=FAILED`)).body.pagination.total).toBe(0);
    expect((await get(`${path}${addresses[1]}&state=SENT`)).body.pagination.total).toBe(1);
    expect((await get(`${path}stranger@example.com`)).body.data).toEqual([]);
    expect((await get(path)).body.pagination.total).toBe(3);
    expect((await get(`${path}nobody`)).status).toBe(422);
  });
});
