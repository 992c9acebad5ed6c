import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { refusal, startApi, type TestApi } from "../../support/server/api.ts";
import { newCampaign, newList } from "../../support/sending/campaigns.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const clock: Clock = { ...systemClock, now: () => NOW };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const get = async (id: string): Promise<any> => (await api.call("GET", `/campaigns/${id}`)).body.data;
const INVALID = [422, "VALIDATION_ERROR"];

describe("scheduledAt", () => {
  const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
  test.each<[unknown, string | null]>([
    [at(29_900), null],
    [at(29_999), null],
    [at(30_000), at(30_000)],
    [at(-1), null],
    ["2026-11-21T09:00:30", at(30_000)],
    ["2026-11-21T09:00:29.9999Z", null],
    ["2026-11-21T10:00:30+01:00", at(30_000)],
    ["2026-11-21T10:00:29+01:00", null],
    ["2026-11-21T02:00:30-0700", at(30_000)],
    ["9999-12-31T23:59:59-23:00", null],
    ["2026-12-24", null],
    ["2027-02-29T09:00:00Z", null],
    ["2028-02-29T09:00:00Z", "2028-02-29T09:00:00.000Z"],
    ["24 December 2026 18:00", null],
    ["", null],
    [null, null],
    [undefined, null],
    [NOW + 60_000, null],
    [[at(60_000)], null],
  ])("%p is %p", async (scheduledAt, stored) => {
    const draft = await newCampaign(api, { listId: await newList(api) });
    const answer = await api.call("POST", `/campaigns/${draft.id}/schedule`, { scheduledAt });
    if (stored === null) {
      expect(refusal(answer)).toEqual(INVALID);
      expect(await get(draft.id)).toEqual(draft);
    } else {
      const { id, name } = draft;
      expect([answer.status, answer.body]).toEqual([
        200,
        { data: { id, name, status: "SCHEDULED", scheduledAt: stored } },
      ]);
    }
  });
});
