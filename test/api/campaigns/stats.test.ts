import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FIGURES } from "#stats/figures.ts";
import { HOUR_MS } from "#core/time/time.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { listOf, person } from "../../support/people/people.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";
import {
  driven,
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
} from "../../support/sending/sending.ts";

const NONE = Object.fromEntries(FIGURES.map((figure) => [figure, 0]));

const statsOf = async (api: TestApi, query = "", key?: string) => {
  const { status, body } = await api.call("GET", `/stats${query}`, undefined, key);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};
const totalsOf = async (api: TestApi, query = "") => (await statsOf(api, query)).totals;

describe("GET /stats", () => {
  let api: TestApi;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = manualClock(Date.parse("2026-03-28T22:10:00Z"));
    api = await startApi({ clock });
  });
  afterEach(() => driven(clock, api.stop()));

  /** Two new contacts in each of two hours, two events, and in the third hour who leaves and who complains. */
  async function threeHours(): Promise<void> {
    await person(api, "ada@example.com");
    await person(api, "grace@example.com", { status: "UNSUBSCRIBED" });
    clock.advance(HOUR_MS);
    const linus = await person(api, "linus@example.com");
    await api.call("POST", "/events", { email: "linus@example.com", name: "seen", externalId: "1" });
    await api.call("POST", "/events", { email: "linus@example.com", name: "seen", externalId: "1" });
    await api.call("POST", "/events", { email: "new@example.com", name: "seen" });
    clock.advance(HOUR_MS);
    await api.call("PATCH", `/contacts/${linus.id}`, { status: "UNSUBSCRIBED" });
    await api.call("PATCH", `/contacts/${linus.id}`, { consent: "declined" });
    await api.services.suppressions.add(api.workspaceId, "ada@example.com", "COMPLAINT");
    await api.services.suppressions.add(api.workspaceId, "ada@example.com", "COMPLAINT");
    clock.advance(1);
  }

  test("without anything: thirty days and today, all empty, the oldest first", async () => {
    const { totals, series } = await statsOf(api);
    expect(totals).toEqual(NONE);
    expect(series.length).toBe(31);
    expect(series[0]).toEqual({ at: "2026-02-26T00:00:00.000Z", ...NONE });
    expect(series.at(-1).at).toBe("2026-03-28T00:00:00.000Z");
  });

  test("counts each in its own step, by hour and by day, and its totals are the sum", async () => {
    await threeHours();
    const hours = await statsOf(api, "?step=hour&from=2026-03-28T22:00:00Z");
    const [first, second, third] = [
      { ...NONE, newContacts: 2 },
      { ...NONE, newContacts: 2, events: 2 },
      { ...NONE, unsubscribed: 1, complained: 1 },
    ];
    expect(hours.series).toEqual([
      { at: "2026-03-28T22:00:00.000Z", ...first },
      { at: "2026-03-28T23:00:00.000Z", ...second },
      { at: "2026-03-29T00:00:00.000Z", ...third },
    ]);
    expect(hours.totals).toEqual({ ...NONE, newContacts: 4, events: 2, unsubscribed: 1, complained: 1 });
    const days = await statsOf(api);
    expect(days.totals).toEqual(hours.totals);
    expect(days.series.slice(-2)).toEqual([
      { at: "2026-03-28T00:00:00.000Z", ...NONE, newContacts: 4, events: 2 },
      { at: "2026-03-29T00:00:00.000Z", ...third },
    ]);
  });

  test("cuts the same figures anew when the zone changes, by quarters of an hour too", async () => {
    await threeHours();
    const inZone = async (timezone: "Asia/Kathmandu" | "Asia/Kolkata" | "Europe/Berlin" | "UTC") => {
      await api.services.workspaces.changeSettings(api.workspaceId, { timezone });
      const { series } = await statsOf(api, "?from=2026-03-28T12:00:00Z&to=2026-03-29T12:00:00Z");
      return series.map(({ at, newContacts }: { at: string; newContacts: number }) => [at, newContacts]);
    };
    expect(await inZone("Asia/Kathmandu")).toEqual([
      ["2026-03-27T18:15:00.000Z", 0],
      ["2026-03-28T18:15:00.000Z", 4],
    ]);
    expect(await inZone("Asia/Kolkata")).toEqual([
      ["2026-03-27T18:30:00.000Z", 0],
      ["2026-03-28T18:30:00.000Z", 4],
    ]);
    // 22:10 is 23:10 in Berlin, an hour later is the next day, which has 23 hours.
    expect(await inZone("Europe/Berlin")).toEqual([
      ["2026-03-27T23:00:00.000Z", 2],
      ["2026-03-28T23:00:00.000Z", 2],
    ]);
    const later = await statsOf(api, "?from=2026-03-28T23:00:00Z&to=2026-03-30T12:00:00Z");
    expect(later.series.map(({ at }: { at: string }) => at)).toEqual([
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    await inZone("UTC");
  });

  test("does not change when what was counted is deleted", async () => {
    await threeHours();
    const before = await statsOf(api);
    const { data } = (await api.call("GET", "/contacts")).body;
    for (const { id } of data) await api.call("DELETE", `/contacts/${id}`);
    expect(await statsOf(api)).toEqual(before);
  });

  test("counts in one workspace only", async () => {
    await threeHours();
    const other = await api.services.workspaces.create("Neighbours");
    await api.call("POST", "/contacts", { email: "theirs@example.com" }, other.key);
    expect((await statsOf(api, "", other.key)).totals).toEqual({ ...NONE, newContacts: 1 });
    expect((await totalsOf(api)).newContacts).toBe(4);
  });

  test.each([
    "?step=week",
    "?from=2026-01-01",
    "?to=soon",
    "?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z",
    "?step=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z",
    "?from=2020-01-01T00:00:00Z&to=2026-03-01T00:00:00Z",
    "?step=hour&from=1970-01-01T00:00:00Z&to=9998-01-01T00:00:00Z",
  ])("%s is 422", async (query) => {
    const { status, body } = await api.call("GET", `/stats${query}`);
    expect([status, body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("a thousand steps are not too many", async () => {
    const { series } = await statsOf(api, "?step=hour&from=2026-01-01T00:00:00Z&to=2026-02-11T16:00:00Z");
    expect(series.length).toBe(1_000);
  });
});

describe("figures of mail", () => {
  test("are what the campaign's own stats say: sent, bounced, opened, clicked, each message once", async () => {
    const readers: ReadersApi = await startReaders();
    const { campaignId, letters } = await readers.mailTo(["a@example.com", "b@example.com", "c@example.com"]);
    for (const letter of letters.slice(0, 2)) for (let i = 0; i < 3; i++) await readers.visit(letter.pixel);
    await readers.visit(letters[2]!.pixel, { method: "HEAD" });
    for (let i = 0; i < 3; i++) await readers.visit(letters[0]!.links[0]!);
    await readers.visit(letters[1]!.unsubscribe, { method: "POST" });
    await readers.visit(letters[1]!.unsubscribe, { method: "POST" });
    await readers.services.tracking.drain();
    const totals = await totalsOf(readers);
    expect(totals).toEqual({ ...NONE, sent: 3, opened: 2, clicked: 1, unsubscribed: 1, newContacts: 3 });
    const { stat } = (await readers.call("GET", `/campaigns/${campaignId}`)).body.data;
    expect([stat.sent, stat.opened, stat.clicked, stat.bounced]).toEqual([3, 2, 1, 0]);
    await readers.call("DELETE", `/campaigns/${campaignId}`);
    expect(await totalsOf(readers)).toEqual(totals);
    await readers.stop();
  });

  test("a refused address counts as bounced, not as sent, and its contact opts out of nothing", async () => {
    const api = await startSending({
      RCPT: ({ rcptTo }) => (rcptTo.at(-1) === "gone@example.com" ? "550 5.1.1 No such user" : undefined),
    });
    const { listId } = await makeAudience(api, ["here@example.com", "gone@example.com"]);
    const campaign = await makeCampaign(api, listId);
    await send(api, campaign);
    expect(await reportOf(api, campaign)).toMatchObject({ sent: 1, bounced: 1 });
    expect(await totalsOf(api)).toEqual({ ...NONE, sent: 1, bounced: 1, newContacts: 2 });
    await api.call("POST", "/send", { to: "here@example.com", subject: "Receipt", text: "Thanks" });
    expect((await totalsOf(api)).sent).toBe(2);
    await api.stop();
  });
});

test("somebody who is opted out by a list they are on is counted once", async () => {
  const api = await startApi();
  const { id } = await person(api, "once@example.com");
  await listOf(api, "One", [id]);
  await Promise.all(
    Array.from({ length: 5 }, () => api.call("PATCH", `/contacts/${id}`, { consent: "declined" })),
  );
  expect((await totalsOf(api)).unsubscribed).toBe(1);
  await api.call("PATCH", `/contacts/${id}`, { status: "SUBSCRIBED", consent: "explicit" });
  await api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" });
  expect((await totalsOf(api)).unsubscribed).toBe(2);
  await api.stop();
});
