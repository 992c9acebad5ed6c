import { afterEach, describe, expect, test } from "bun:test";
import type { Plan } from "#campaigns/send/plan.ts";
import {
  audienceScene,
  campaignWith,
  changeOptions,
  mailedAddresses,
  type Scene,
} from "../../support/people/audience.ts";
import { countRows, rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { deliveriesOf, driven, makeLongList, send, type SendingApi } from "../../support/sending/sending.ts";
import { needsSqlite, rowsFrom } from "../../support/server/services.ts";
import { addReaders, sendState } from "../../support/sending/sending-state.ts";

const lacksSqlite = needsSqlite(
  "PostgreSQL plans so few at once; storage/postgres/campaigns/plans.test.ts ends a node in the middle",
);

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

let scene: Scene;
async function stage(options: Parameters<typeof audienceScene>[0] = {}): Promise<void> {
  ({ api, scene } = await audienceScene(options));
}

const campaign = (listId: string | null, options: object) => campaignWith(api, listId, options);
const change = (id: string, options: object) => changeOptions(api, id, options);
const got = (): string[] => mailedAddresses(api);

describe("who is in a segment is settled when the send is planned", () => {
  const OPTIONS = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };
  const plansOf = () => api.services.engine.openSendingStores().plans;
  const begin = async (id: string): Promise<Plan> =>
    (await plansOf().begin(api.workspaceId, id, OPTIONS, 0)) as Plan;
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
      const faults = await api.place.ledgerFaults(api.services);
      expect(faults.filter((fault) => !/campaign/.test(fault))).toEqual([]);
    });
  }

  test.skipIf(lacksSqlite)(
    "a server that dies before it is settled asks anew; one that dies later goes on with the same people",
    async () => {
      await stage();
      const id = await campaign(null, {
        segmentId: scene.segments["vip"],
        excludeListIds: [scene.lists["B"]],
      });
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
    },
  );

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
        isChecked: () => true,
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
    // By a clock that stands, the call is not answered before its plan has ended, however slow the machine is.
    const clock = manualClock();
    await stage({ clock });
    const id = await campaign(scene.lists["A"]!, {});
    await addReaders(api, id, 20_000);
    const sending = send(api, id);
    await eventually(() => countRows(api, "mailings") > 0);
    await change(id, { segmentId: scene.segments["staff"] });
    expect((await sending).status).toBe(422);
    expect((await driven(clock, send(api, id))).body.data).toMatchObject({ sent: 1, complete: true });
    expect(got()).toEqual(["eve@example.com"]);
  });
});

test.skipIf(needsSqlite("storage/postgres/contacts/deleted-list.test.ts does it with PostgreSQL's locks"))(
  "a send or a schedule that waits for the deletion of its list is not for all of its segment",
  async () => {
    await stage();
    // Its deletion is done in slices. Meanwhile reads see the list, and writes wait.
    const listId = await makeLongList(api, 50_000);
    const options = { segmentId: scene.segments["vip"] };
    const [id, other] = [await campaign(listId, options), await campaign(listId, options)];
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = () => api.call("POST", `/campaigns/${other}/schedule`, { scheduledAt });
    const deleting = api.call("DELETE", `/lists/${listId}`);
    const waiting = [send(api, id), schedule()];
    expect((await deleting).status).toBe(204);
    const [sent, scheduled] = (await Promise.all(waiting)).map(({ status }) => status);
    // A schedule may have been written right before the deletion, which takes it back.
    expect([sent, [200, 422].includes(scheduled ?? 0)]).toEqual([422, true]);
    expect(rowOf(api, other).status).toBe("DRAFT");
    expect([got(), rowsFrom(api, "SELECT seq FROM deliveries")]).toEqual([[], []]);
    expect((await send(api, id)).body.data).toMatchObject({ sent: 4, complete: true });
    expect((await schedule()).status).toBe(200);
  },
);
