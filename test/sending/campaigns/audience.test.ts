import { afterEach, describe, expect, test } from "bun:test";
import { audienceScene, campaignWith, mailedAddresses, type Scene } from "../../support/people/audience.ts";
import { countRows, LETTER, rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { deliveriesOf, reportOf, send, type SendingApi } from "../../support/sending/sending.ts";
import { mailOf, runUntil, sendState, usageOf } from "../../support/sending/sending-state.ts";
import { writeTo } from "../../support/server/services.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

let scene: Scene;
async function stage(options: Parameters<typeof audienceScene>[0] = {}): Promise<void> {
  ({ api, scene } = await audienceScene(options));
}

const campaign = (listId: string | null, options: object) => campaignWith(api, listId, options);
const got = (): string[] => mailedAddresses(api);

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
    await writeTo(api, `DELETE FROM segments WHERE id = '${scene.segments["staff"]}'`);
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
