import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { refusal, startApi, type TestApi } from "../../support/server/api.ts";
import {
  countRows,
  freeze,
  LETTER,
  markSent,
  newCampaign,
  newList,
  newScheduled,
  rowOf,
} from "../../support/sending/campaigns.ts";
import { isPostgres, rowsFrom, writeTo } from "../../support/server/services.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const LATER = "2026-12-24T18:00:00.000Z";
const clock: Clock = { ...systemClock, now: () => NOW };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const get = async (id: string): Promise<any> => (await api.call("GET", `/campaigns/${id}`)).body.data;
const ALREADY_SENT = [422, "CAMPAIGN_ALREADY_SENT"];
const INVALID = [422, "VALIDATION_ERROR"];
const NOT_FOUND = [404, "NOT_FOUND"];

/** A campaign in every state, by name. */
const STATES: Record<string, () => Promise<any>> = {
  "DRAFT without a list": () => newCampaign(api),
  "DRAFT with a list": async () => newCampaign(api, { listId: await newList(api) }),
  SCHEDULED: () => newScheduled(api, LATER),
  "DRAFT, frozen": async () => {
    const draft = await newCampaign(api, { listId: await newList(api) });
    await freeze(api, draft.id, { queued: 1 });
    return draft;
  },
  "SCHEDULED, frozen": async () => {
    const campaign = await newScheduled(api, LATER);
    await freeze(api, campaign.id, { queued: 1 });
    return campaign;
  },
  SENT: async () => {
    const draft = await newCampaign(api, { listId: await newList(api) });
    await freeze(api, draft.id);
    await markSent(api, draft.id, NOW);
    return { ...draft, status: "SENT", sentAt: new Date(NOW).toISOString() };
  },
};

const REQUESTS: Record<string, [string, string, unknown?]> = {
  edit: ["PATCH", "", { name: "Summer" }],
  "take the list off": ["PATCH", "", { listId: null }],
  schedule: ["POST", "/schedule", { scheduledAt: "2026-11-22T10:00:00+01:00" }],
  cancel: ["DELETE", "/schedule"],
};

const ACCEPTED_NEXT = "2026-11-22T09:00:00.000Z";

/** From, request, and what the campaign becomes (its changed fields) or the refusal. */
const TABLE: [string, string, Record<string, unknown> | (string | number)[]][] = [
  ["DRAFT without a list", "edit", { name: "Summer" }],
  ["DRAFT without a list", "take the list off", {}],
  ["DRAFT without a list", "schedule", INVALID],
  ["DRAFT without a list", "cancel", INVALID],
  ["DRAFT with a list", "edit", { name: "Summer" }],
  ["DRAFT with a list", "take the list off", { listId: null }],
  ["DRAFT with a list", "schedule", { status: "SCHEDULED", scheduledAt: ACCEPTED_NEXT }],
  ["DRAFT with a list", "cancel", INVALID],
  ["SCHEDULED", "edit", { name: "Summer" }],
  ["SCHEDULED", "take the list off", { listId: null, status: "DRAFT", scheduledAt: null }],
  ["SCHEDULED", "schedule", { scheduledAt: ACCEPTED_NEXT }],
  ["SCHEDULED", "cancel", { status: "DRAFT", scheduledAt: null }],
  ...["DRAFT, frozen", "SCHEDULED, frozen", "SENT"].flatMap((from) =>
    Object.keys(REQUESTS).map((request): (typeof TABLE)[number] => [from, request, ALREADY_SENT]),
  ),
];

const phaseOf = (campaignId: string): string =>
  rowsFrom(api, "SELECT phase FROM mailings WHERE source_id = ?", campaignId)[0].phase;

describe("campaign status", () => {
  test("the table has every state with every request", () => {
    expect(TABLE.length).toBe(Object.keys(STATES).length * Object.keys(REQUESTS).length);
  });

  test.each(TABLE)("%s, %s: answered as the table says", async (from, request, outcome) => {
    const campaign = await STATES[from]!();
    const row = rowOf(api, campaign.id);
    const deliveries = countRows(api, "deliveries");
    const [method, path, body] = REQUESTS[request]!;
    const answer = await api.call(method, `/campaigns/${campaign.id}${path}`, body);
    if (Array.isArray(outcome)) {
      expect(refusal(answer)).toEqual(outcome);
      expect(rowOf(api, campaign.id)).toEqual(row);
      if (from.endsWith("frozen")) expect(answer.body.error.message).toContain("being sent");
    } else {
      expect(answer.status).toBe(200);
      expect(await get(campaign.id)).toEqual({ ...campaign, ...outcome });
      expect(answer.body.data).toEqual(
        request === "schedule" ? scheduled({ ...campaign, ...outcome }) : await get(campaign.id),
      );
    }
    expect(countRows(api, "deliveries")).toBe(deliveries);
  });

  const scheduled = ({ id, name, status, scheduledAt }: any) => ({ id, name, status, scheduledAt });

  test("SENT answers CAMPAIGN_ALREADY_SENT to a PATCH of nothing, a bad one and one to an unknown list", async () => {
    const { id } = await STATES.SENT!();
    for (const body of [undefined, {}, "{", { name: "" }, { listId: "list_of_nobody" }, { listId: 5 }]) {
      expect(refusal(await api.call("PATCH", `/campaigns/${id}`, body))).toEqual(ALREADY_SENT);
    }
  });

  test("the scheduler looks at a campaign from its time on, and not at all once the schedule is cancelled", async () => {
    const { id } = await newScheduled(api, LATER);
    expect(rowOf(api, id)).toMatchObject({ scheduled_at: Date.parse(LATER), next_try_at: Date.parse(LATER) });
    await api.call("PATCH", `/campaigns/${id}`, { name: "Summer" });
    expect(rowOf(api, id).next_try_at).toBe(Date.parse(LATER));
    await api.call("DELETE", `/campaigns/${id}/schedule`);
    expect(rowOf(api, id)).toMatchObject({ scheduled_at: null, next_try_at: null });
  });

  test("a new time, or none, ends what kept the old one waiting", async () => {
    for (const [method, body] of [["POST", { scheduledAt: LATER }], ["DELETE"]] as [string, unknown?][]) {
      const { id } = await newScheduled(api, LATER);
      await writeTo(api, "UPDATE campaigns SET blocked = 'quiet hours', held = TRUE WHERE id = ?", id);
      expect((await api.call(method, `/campaigns/${id}/schedule`, body)).status).toBe(200);
      expect(rowOf(api, id)).toMatchObject({ blocked: null, held: 0 });
    }
  });
});

describe("the order of checks", () => {
  const bad = { name: "" };
  const CASES: [string, string, string, string, unknown, (string | number)[]][] = [
    ["an unknown campaign goes before a bad body", "none", "PATCH", "", bad, NOT_FOUND],
    ["an unknown campaign goes before a bad time", "none", "POST", "/schedule", {}, NOT_FOUND],
    ["an unknown campaign goes before an unknown list", "none", "PATCH", "", { listId: "x" }, NOT_FOUND],
    [
      "an unknown campaign goes before a bad filter",
      "none",
      "GET",
      "/deliveries?state=nonsense",
      undefined,
      NOT_FOUND,
    ],
    [
      "an unknown campaign goes before a bad cursor",
      "none",
      "GET",
      "/deliveries?after=nonsense",
      undefined,
      NOT_FOUND,
    ],
    ["SENT goes before a bad body", "SENT", "PATCH", "", bad, ALREADY_SENT],
    ["SENT goes before an unknown list", "SENT", "PATCH", "", { listId: "x" }, ALREADY_SENT],
    ["SENT goes before a bad time", "SENT", "POST", "/schedule", { scheduledAt: 5 }, ALREADY_SENT],
    ["frozen goes before a bad body", "DRAFT, frozen", "PATCH", "", bad, ALREADY_SENT],
    ["frozen goes before a bad time", "DRAFT, frozen", "POST", "/schedule", undefined, ALREADY_SENT],
    [
      "frozen goes before DRAFT has no schedule",
      "DRAFT, frozen",
      "DELETE",
      "/schedule",
      undefined,
      ALREADY_SENT,
    ],
    [
      "a bad body goes before an unknown list",
      "DRAFT with a list",
      "PATCH",
      "",
      { ...bad, listId: "x" },
      INVALID,
    ],
  ];
  test.each(CASES)("%s", async (_, state, method, path, body, expected) => {
    const id = state === "none" ? "cmp_of_nobody" : (await STATES[state]!()).id;
    expect(refusal(await api.call(method, `/campaigns/${id}${path}`, body))).toEqual(expected);
  });

  test("the key goes before everything", async () => {
    const { id } = await STATES.SENT!();
    for (const path of [`/campaigns/${id}`, "/campaigns/cmp_of_nobody"]) {
      expect(refusal(await api.call("PATCH", path, bad, "pr_wrong"))).toEqual([401, "UNAUTHORIZED"]);
    }
  });

  test("a bad body goes before an unknown list on POST too", async () => {
    expect(refusal(await api.call("POST", "/campaigns", { ...LETTER, ...bad, listId: "x" }))).toEqual(
      INVALID,
    );
  });

  test("a bad time goes before the missing list", async () => {
    const { id } = await newCampaign(api);
    const answer = await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: "tomorrow" });
    expect(answer.body.error.message).toContain("scheduledAt");
    const without = await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: LATER });
    expect(without.body.error.message).toContain("listId");
  });

  test("somebody else's SENT campaign is not found", async () => {
    const other = await api.services.workspaces.create("Grace's garden");
    const { id } = await STATES.SENT!();
    expect(refusal(await api.call("PATCH", `/campaigns/${id}`, bad, other.key))).toEqual(NOT_FOUND);
  });
});

describe("deleting a list", () => {
  test.each<[string, Record<string, unknown>]>([
    ["DRAFT with a list", {}],
    ["SCHEDULED", { status: "DRAFT", scheduledAt: null }],
    ["DRAFT, frozen", {}],
    ["SCHEDULED, frozen", {}],
    ["SENT", {}],
  ])("takes it off a campaign that is %s", async (state, change) => {
    const campaign = await STATES[state]!();
    const bystander = await newScheduled(api, LATER);
    expect((await api.call("DELETE", `/lists/${campaign.listId}`)).status).toBe(204);
    expect(await get(campaign.id)).toEqual({ ...campaign, listId: null, ...change });
    expect((await get(bystander.id)).status).toBe("SCHEDULED");
    if (!state.endsWith("frozen")) return;
    expect(phaseOf(campaign.id)).toBe("sending");
  });

  test("counts the campaign that went back to DRAFT among the drafts", async () => {
    const own = await startApi({ clock });
    const { listId } = await newScheduled(own, LATER);
    await own.call("DELETE", `/lists/${listId}`);
    const total = async (status: string) =>
      (await own.call("GET", `/campaigns?status=${status}`)).body.pagination.total;
    expect([await total("DRAFT"), await total("SCHEDULED"), await total("")]).toEqual([1, 0, 1]);
    await own.stop();
  });
});

describe("deleting a campaign under way", () => {
  test("stops its send, keeps its rows, and gives back what was reserved for those still owed", async () => {
    const usage = () =>
      rowsFrom(api, "SELECT period, n FROM sending_usage WHERE workspace = 1 ORDER BY period");
    const [campaign, other] = [await STATES["DRAFT with a list"]!(), await STATES["DRAFT with a list"]!()];
    const reserved = { reserved_day: "2026-11-21", reserved_month: "2026-11" };
    const mailing = await freeze(api, campaign.id, {
      ...reserved,
      planned: 9,
      queued: 4,
      sent: 5,
      accepted: 5,
    });
    const bystander = await freeze(api, other.id, { ...reserved, queued: 2 });
    await writeTo(
      api,
      "INSERT INTO deliveries (mailing, address, state) VALUES (?, 'ada@example.com', 'queued')",
      mailing,
    );
    for (const [period, n] of [
      ["2026-11", 60],
      ["2026-11-20", 7],
      ["2026-11-21", 3],
    ] as const) {
      await writeTo(api, "INSERT INTO sending_usage VALUES (1, ?, ?)", period, n);
    }

    expect((await api.call("DELETE", `/campaigns/${campaign.id}`)).status).toBe(204);

    expect(rowsFrom(api, "SELECT phase FROM mailings WHERE seq = ?", mailing)).toEqual([
      { phase: "stopped" },
    ]);
    const queued = `SELECT sum(queued) AS n FROM ${isPostgres ? "tallies WHERE mailing" : "mailings WHERE seq"} = ?`;
    expect(rowsFrom(api, queued, mailing)).toEqual([{ n: 4 }]);
    expect(rowsFrom(api, "SELECT state FROM deliveries WHERE mailing = ?", mailing)).toEqual([
      { state: "queued" },
    ]);
    expect(rowsFrom(api, "SELECT phase FROM mailings WHERE seq = ?", bystander)).toEqual([
      { phase: "sending" },
    ]);
    expect(usage()).toEqual([
      { period: "2026-11", n: 56 },
      { period: "2026-11-20", n: 7 },
      { period: "2026-11-21", n: 0 },
    ]);
  });

  test("a SENT one's finished send stays as it is", async () => {
    const { id } = await STATES.SENT!();
    expect((await api.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    expect(phaseOf(id)).toBe("finished");
  });
});
