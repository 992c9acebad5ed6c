import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { automationOf, enrollmentsOf, pass, settled } from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { drivenUntil, numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { DAY } from "../../support/common/durations.ts";

const PAGE = readFileSync(resolve(import.meta.dir, "../../../docs/automations.md"), "utf8");

/** The worked flow of docs/automations.md, as it is written there. */
const written = /`welcome\.json`:\n\n```json\n([\s\S]*?)\n```/.exec(PAGE)?.[1];

let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

describe("the documented welcome flow runs as it is written", () => {
  test("it has no problem, welcomes, reminds whoever did not open, and tags everybody", async () => {
    const { id } = (await api.call("POST", "/automations", { name: "Welcome" })).body.data;
    expect((await api.call("PATCH", `/automations/${id}`, written)).status).toBe(200);
    expect((await api.call("GET", `/automations/${id}/problems`)).body.data).toEqual([]);
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await person(api, "ada@example.com", { firstName: "Ada" });
    await person(api, "grace@example.org");
    await settled(api, clock);
    expect(mailOf(api).toSorted()).toEqual(["ada@example.com: Welcome, Ada!", "grace@example.org: Welcome!"]);
    const { raw } = api.relay.accepted.find(({ rcptTo }) => rcptTo.includes("ada@example.com"))!;
    const pixel = /mail\.example\.org(\/o\/[\w-]+)/.exec(raw.replaceAll("=\r\n", ""))![1]!;
    await fetch(api.url + pixel, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    });
    await drivenUntil(
      clock,
      () => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE opened_at > 0") === 1,
    );
    await pass(api, clock, 2 * DAY);
    expect(mailOf(api).slice(2)).toEqual(["grace@example.org: Did you see the tour?"]);
    expect((await api.call("GET", "/contacts?tag=welcomed")).body.pagination.total).toBe(2);
    expect((await enrollmentsOf(api, id, "&status=COMPLETED")).length).toBe(2);
    expect((await automationOf(api, id)).activeEnrollments).toBe(0);
  });
});
