import { afterEach, describe, expect, test } from "bun:test";
import { openSendingStores } from "#app/stores.ts";
import type { Plan } from "#campaigns/plan.ts";
import { countRows, LETTER, rowOf } from "../support/campaigns.ts";
import { manualClock } from "../support/manual-clock.ts";
import { ledgerFaults } from "../support/ledger-check.ts";
import { listOf, person } from "../support/people.ts";
import { eventually } from "../support/relay.ts";
import { deliveriesOf, reportOf, send, startSending, type SendingApi } from "../support/sending.ts";
import { addReaders, mailOf, runUntil, sendState, usageOf } from "../support/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

/** Whose tags and lists: `A` is the campaign's list, `B` one that is excluded. */
const PEOPLE: Record<string, { tags?: string[]; lists?: string[]; status?: string }> = {
  "ada@example.com": { tags: ["vip"], lists: ["A"] },
  "grace@example.com": { lists: ["A"] },
  "linus@example.com": { tags: ["vip"] },
  "ken@example.com": { tags: ["vip"], lists: ["A", "B"] },
  "eve@example.com": { tags: ["vip", "staff"], lists: ["A"] },
  "sam@example.com": { tags: ["vip"], lists: ["A"] },
  "bob@blocked.example": { tags: ["vip"], lists: ["A"] },
  "pia@example.com": { tags: ["vip"], lists: ["A"], status: "PENDING" },
  "una@example.com": { tags: ["vip"], status: "UNSUBSCRIBED" },
  "zoe@example.com": {},
};

type Scene = { lists: Record<string, string>; segments: Record<string, string>; ids: Record<string, string> };
let scene: Scene;

async function stage(options: Parameters<typeof startSending>[1] = {}): Promise<void> {
  api = await startSending({}, options);
  const ids: Record<string, string> = {};
  for (const [email, { tags = [], status }] of Object.entries(PEOPLE))
    ids[email] = (await person(api, email, { tags, ...(status === undefined ? {} : { status }) })).id;
  const on = (list: string) =>
    Object.entries(PEOPLE).flatMap(([email, { lists = [] }]) => (lists.includes(list) ? [ids[email]!] : []));
  const lists = { A: await listOf(api, "A", on("A")), B: await listOf(api, "B", on("B")) };
  const segments = {
    vip: await segmentOf("vip"),
    staff: await segmentOf("staff"),
    nobody: await segmentOf("none"),
  };
  await api.services.suppressions.add(api.workspaceId, "sam@example.com", "MANUAL");
  await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
  scene = { lists, segments, ids };
}

const segmentOf = async (tag: string): Promise<string> =>
  (await api.call("POST", "/segments", { name: tag, rules: { field: "tag", op: "equals", value: tag } })).body
    .data.id;

async function campaign(listId: string | null, options: object): Promise<string> {
  const { id } = (await api.call("POST", "/campaigns", { ...LETTER, listId })).body.data;
  await change(id, options);
  return id;
}

async function change(id: string, options: object): Promise<void> {
  const answer = await api.call("PATCH", `/campaigns/${id}/options`, options);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const got = (): string[] => api.relay.accepted.map(({ rcptTo }) => rcptTo.join()).toSorted();

type Case = {
  name: string;
  list?: "A";
  options(scene: Scene): object;
  excludeEmails?: string[];
  got: string[];
  skipped: Record<string, string>;
};
const LEFT_OUT = { "sam@example.com": "SUPPRESSED", "bob@blocked.example": "BLOCKED_DOMAIN" };

const CASES: Case[] = [
  {
    name: "a list alone",
    list: "A",
    options: () => ({}),
    got: ["ada@example.com", "eve@example.com", "grace@example.com", "ken@example.com"],
    skipped: LEFT_OUT,
  },
  {
    name: "a segment alone asks every contact of the workspace",
    options: ({ segments }) => ({ segmentId: segments["vip"] }),
    got: ["ada@example.com", "eve@example.com", "ken@example.com", "linus@example.com"],
    skipped: LEFT_OUT,
  },
  {
    name: "list and segment: who is in both",
    list: "A",
    options: ({ segments }) => ({ segmentId: segments["vip"] }),
    got: ["ada@example.com", "eve@example.com", "ken@example.com"],
    skipped: LEFT_OUT,
  },
  {
    name: "a list less an excluded list",
    list: "A",
    options: ({ lists }) => ({ excludeListIds: [lists["B"]] }),
    got: ["ada@example.com", "eve@example.com", "grace@example.com"],
    skipped: { ...LEFT_OUT, "ken@example.com": "EXCLUDED" },
  },
  {
    name: "a list less an excluded segment; exclusion comes before every other reason",
    list: "A",
    options: ({ segments }) => ({ excludeSegmentIds: [segments["vip"]] }),
    got: ["grace@example.com"],
    skipped: Object.fromEntries(
      ["ada", "eve", "ken", "sam"]
        .map((name) => [`${name}@example.com`, "EXCLUDED"])
        .concat([["bob@blocked.example", "EXCLUDED"]]),
    ),
  },
  {
    name: "everything at once, and addresses of the call",
    list: "A",
    options: ({ lists, segments }) => ({
      segmentId: segments["vip"],
      excludeListIds: [lists["B"]],
      excludeSegmentIds: [segments["staff"], segments["nobody"]],
    }),
    excludeEmails: ["SAM@example.com"],
    got: ["ada@example.com"],
    skipped: {
      "ken@example.com": "EXCLUDED",
      "eve@example.com": "EXCLUDED",
      "sam@example.com": "EXCLUDED",
      "bob@blocked.example": "BLOCKED_DOMAIN",
    },
  },
  {
    name: "an excluded list of people who are not asked leaves out nobody",
    options: ({ lists, segments }) => ({ segmentId: segments["staff"], excludeListIds: [lists["B"]] }),
    got: ["eve@example.com"],
    skipped: {},
  },
];

describe("the audience of a send", () => {
  test.each(CASES)("is $name", async ({ list, options, excludeEmails = [], got: mailed, skipped }) => {
    await stage();
    const id = await campaign(list === undefined ? null : scene.lists[list]!, options(scene));
    const answer = await send(api, id, { excludeEmails });
    expect(answer.body.data).toEqual({ sent: mailed.length, failed: 0, remaining: 0, complete: true });
    expect(got()).toEqual(mailed);
    const deliveries = await deliveriesOf(api, id);
    const left = Object.entries(deliveries).filter(([, { state }]) => state === "SKIPPED");
    expect(Object.fromEntries(left.map(([email, { reason }]) => [email, reason]))).toEqual(skipped);
    expect(Object.keys(deliveries).toSorted()).toEqual([...mailed, ...Object.keys(skipped)].toSorted());
    const report = await reportOf(api, id);
    expect([report.planned, report.sent]).toEqual([
      mailed.length + Object.keys(skipped).length,
      mailed.length,
    ]);
    expect(report.skipped).toEqual(
      Object.fromEntries(
        Object.entries(Object.groupBy(Object.values(skipped), (reason) => reason)).map(([reason, all]) => [
          reason,
          all!.length,
        ]),
      ),
    );
    expect(Object.values(usageOf(api))).toEqual([mailed.length, mailed.length]);
    expect(countRows(api, "mailing_audiences")).toBe(0);
  });

  test("is nobody where the segment has nobody, or was deleted: refused, and nothing is left", async () => {
    await stage();
    const empty = await campaign(scene.lists["A"]!, { segmentId: scene.segments["nobody"] });
    const gone = await campaign(scene.lists["A"]!, { segmentId: scene.segments["staff"] });
    const { sqlite } = api.services.database;
    sqlite.run(`DELETE FROM segments WHERE id = '${scene.segments["staff"]}'`);
    const told = () => countRows(api, "audit");
    const toldBefore = told();
    for (const id of [empty, gone]) {
      const before = sendState(api);
      const { status, body } = await send(api, id);
      expect([status, body.error.code, body.error.message]).toEqual([
        422,
        "VALIDATION_ERROR",
        expect.stringContaining("Nobody is left"),
      ]);
      expect(sendState(api)).toEqual(before);
    }
    // A send that was refused after its plan was begun is not told of as a send.
    expect(told()).toBe(toldBefore);
    expect(got()).toEqual([]);
  });

  test("an excluded list that was deleted since excludes nobody; of another workspace nobody is asked", async () => {
    await stage();
    const other = await api.services.workspaces.create("Neighbours");
    await api.call("POST", "/contacts", { email: "theirs@example.com", tags: ["vip"] }, other.key);
    const id = await campaign(null, { segmentId: scene.segments["vip"], excludeListIds: [scene.lists["B"]] });
    await api.call("DELETE", `/lists/${scene.lists["B"]}`);
    await send(api, id);
    expect(got()).toEqual(["ada@example.com", "eve@example.com", "ken@example.com", "linus@example.com"]);
  });

  test("counts in the limits by what is left of it, not by everybody who was asked", async () => {
    await stage();
    const id = await campaign(scene.lists["A"]!, {
      segmentId: scene.segments["vip"],
      excludeListIds: [scene.lists["B"]],
    });
    const limits = (monthlyLimit: number, dailyCap: number) =>
      api.services.workspaces.changeSettings(api.workspaceId, { monthlyLimit, dailyCap });
    await limits(1, 9);
    expect((await send(api, id)).status).toBe(402);
    await limits(9, 1);
    expect((await send(api, id)).body.error.message).toContain("daily cap");
    await limits(2, 2);
    expect((await send(api, id)).body.data).toMatchObject({ sent: 2, complete: true });
  });

  test("a campaign with a segment alone goes out by its schedule, and names no list in its headers", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21, 9));
    await stage({ clock });
    const id = await campaign(null, { segmentId: scene.segments["staff"] });
    const scheduledAt = "2026-11-21T10:00:00.000Z";
    expect((await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt })).status).toBe(200);
    clock.advance(60 * 60_000);
    await runUntil(clock, () => rowOf(api, id).status === "SENT");
    expect(mailOf(api)).toEqual([`eve@example.com: ${LETTER.subject}`]);
    expect(api.relay.accepted[0]!.raw).not.toMatch(/^List-Id:/im);
  });
});

describe("who is in a segment is settled when the send is planned", () => {
  const OPTIONS = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };
  const plansOf = () => openSendingStores(api.services).plans;
  const begin = async (id: string): Promise<Plan> =>
    (await plansOf().begin(api.workspaceId, id, OPTIONS, 0))!;
  const planned = (): string[] =>
    (sendState(api)["deliveries"] as { address: string }[]).map(({ address }) => address).toSorted();
  const tag = (email: string, tags: string[]) => api.call("PATCH", `/contacts/${scene.ids[email]}`, { tags });

  async function walk(plan: Plan, rowsMax: number, plans = plansOf()): Promise<void> {
    while ((await plans.planNext(plan, rowsMax)) !== "end");
  }

  const VIPS = ["ada", "bob", "eve", "ken", "linus", "sam"].map((name) =>
    name === "bob" ? "bob@blocked.example" : `${name}@example.com`,
  );

  for (const rowsMax of [1, 2, 100]) {
    test(`in slices of ${rowsMax}: who joins or leaves it later changes nothing; who opts out or is gone has no row`, async () => {
      await stage();
      const plan = await begin(await campaign(null, { segmentId: scene.segments["vip"] }));
      await plansOf().settle(plan, 0);
      await tag("ada@example.com", []);
      await tag("zoe@example.com", ["vip"]);
      await person(api, "new@example.com", { tags: ["vip"] });
      await api.call("PATCH", `/contacts/${scene.ids["ken@example.com"]}`, { status: "UNSUBSCRIBED" });
      await api.call("DELETE", `/contacts/${scene.ids["eve@example.com"]}`);
      await api.call("PATCH", `/segments/${scene.segments["vip"]}`, {
        rules: { field: "tag", op: "equals", value: "none" },
      });
      await plansOf().settle(plan, 0);
      await walk(plan, rowsMax);
      expect(planned()).toEqual(VIPS.filter((email) => !/ken|eve/.test(email)));
      expect(ledgerFaults(api.services.database.sqlite).filter((fault) => !/campaign/.test(fault))).toEqual(
        [],
      );
    });
  }

  test("a server that dies before it is settled asks anew; one that dies later goes on with the same people", async () => {
    await stage();
    const id = await campaign(null, { segmentId: scene.segments["vip"], excludeListIds: [scene.lists["B"]] });
    const plan = await begin(id);
    await tag("zoe@example.com", ["vip"]);
    await plansOf().settle(plan, 0);
    const killed = plansOf();
    await killed.planNext(plan, 100);
    await killed.planNext(plan, 2);
    expect(planned()).toHaveLength(2);
    await tag("linus@example.com", []);
    await tag("grace@example.com", ["vip"]);
    await api.call("DELETE", `/lists/${scene.lists["B"]}`);
    api = await api.restart();
    await eventually(() => rowOf(api, id).status === "SENT");
    expect(planned()).toEqual([...VIPS, "zoe@example.com"].toSorted());
    expect(got()).toEqual(["ada@example.com", "eve@example.com", "linus@example.com", "zoe@example.com"]);
    expect((await deliveriesOf(api, id))["ken@example.com"]).toMatchObject({
      state: "SKIPPED",
      reason: "EXCLUDED",
    });
  });

  test.each<[string, (id: string) => object]>([
    ["another segment", () => ({ segmentId: scene.segments["staff"] })],
    ["no segment", () => ({ segmentId: null })],
    ["one exclusion more", () => ({ excludeListIds: [scene.lists["B"]] })],
  ])(
    "given %s while its plan is made: nothing goes out, and nothing is left of the plan",
    async (_, options) => {
      await stage();
      const id = await campaign(scene.lists["A"]!, { segmentId: scene.segments["vip"] });
      const plan = await begin(id);
      await plansOf().settle(plan, 0);
      await walk(plan, 100);
      await change(id, options(id));
      const completion = {
        day: "2026-11-21",
        month: "2026-11",
        now: 0,
        check: () => null,
        freeze: () => {
          throw new Error("it must not be frozen");
        },
      };
      expect(await plansOf().complete(plan, completion)).toBe("changed");
      while (!(await plansOf().abandon(plan, 2)));
      const { mailings, deliveries, mailing_audiences } = sendState(api);
      expect([mailings, deliveries, mailing_audiences]).toEqual([[], [], []]);
    },
  );

  test("a list that becomes a segment while its plan is made is planned anew, for that segment", async () => {
    await stage();
    const id = await campaign(scene.lists["A"]!, {});
    addReaders(api, id, 20_000);
    const sending = send(api, id);
    await eventually(() => countRows(api, "mailings") > 0);
    await change(id, { segmentId: scene.segments["staff"] });
    expect((await sending).status).toBe(422);
    expect((await send(api, id)).body.data).toMatchObject({ sent: 1, complete: true });
    expect(got()).toEqual(["eve@example.com"]);
  });
});
