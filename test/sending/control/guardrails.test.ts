import { afterEach, describe, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import { markSent } from "../../support/sending/campaigns.ts";
import { SENDER, send, type SendingApi } from "../../support/sending/sending.ts";
import {
  expectSent,
  NOW,
  QUIET_NOW,
  stageSend,
  suppressAll,
  type Scene,
} from "../../support/sending/guarded-send.ts";
import { sendState, usageOf } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop());

type Obstacle = {
  readonly name: string;
  readonly refusal: readonly [number, string, RegExp];
  place(scene: Scene): Promise<unknown>;
  mend(scene: Scene): Promise<unknown>;
};

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);
const patch = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}`, body);
const option = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}/options`, body);
const setting = (
  name: string,
  wrong: Partial<Settings>,
  right: Partial<Settings>,
  ...refusal: Obstacle["refusal"]
): Obstacle => ({
  name,
  refusal,
  place: () => set(wrong),
  mend: () => set(right),
});

/** Decisions, section 5, "Order of refusals": each of them, in that order. */
const OBSTACLES: readonly Obstacle[] = [
  setting(
    "the workspace is suspended",
    { suspended: true },
    { suspended: false },
    403,
    "FORBIDDEN",
    /suspended/,
  ),
  setting("sending is switched off", { sending: false }, { sending: true }, 403, "FORBIDDEN", /turned off/),
  {
    name: "there is no list",
    refusal: [422, "VALIDATION_ERROR", /no list and no segment/],
    place: ({ id }) => patch(id, { listId: null }),
    mend: ({ id, listId }) => patch(id, { listId }),
  },
  {
    name: "the Liquid does not compile",
    refusal: [422, "VALIDATION_ERROR", /line 2, column \d+/],
    place: async ({ id }) => {
      await patch(id, { body: "<p>Hello</p>\n<p>Hi {% if %}</p>" });
      await option(id, { personalize: true });
    },
    mend: ({ id }) => option(id, { personalize: false }),
  },
  setting(
    "there is no mailing address",
    { mailingAddress: "" },
    { mailingAddress: SENDER.mailingAddress },
    422,
    "VALIDATION_ERROR",
    /mailing address/,
  ),
  setting(
    "there is no sender address",
    { fromEmail: "" },
    { fromEmail: SENDER.fromEmail },
    422,
    "VALIDATION_ERROR",
    /sender address/,
  ),
  {
    name: "the campaign's own sender is of a domain that is no longer the workspace's",
    refusal: [422, "VALIDATION_ERROR", /letters\.example/],
    place: async ({ id }) => {
      await set({ senderDomains: ["letters.example"] });
      await option(id, { fromEmail: "ada@letters.example" });
      await set({ senderDomains: [] });
    },
    mend: ({ id }) => option(id, { fromEmail: null }),
  },
  setting(
    "it is quiet hours",
    { quietHours: QUIET_NOW },
    { quietHours: null },
    422,
    "VALIDATION_ERROR",
    /quiet hours/,
  ),
  {
    name: "nobody is left to mail",
    refusal: [422, "VALIDATION_ERROR", /Nobody is left/],
    place: () => suppressEverybody("add"),
    mend: () => suppressEverybody("remove"),
  },
  setting(
    "the monthly limit would be passed",
    { monthlyLimit: 1 },
    { monthlyLimit: null },
    402,
    "QUOTA_EXCEEDED",
    /monthly limit/,
  ),
  setting(
    "the daily cap would be passed",
    { dailyCap: 1 },
    { dailyCap: null },
    422,
    "VALIDATION_ERROR",
    /daily cap/,
  ),
];

const suppressEverybody = (how: "add" | "remove") => suppressAll(api, how);

async function stage(): Promise<Scene> {
  const staged = await stageSend();
  api = staged.api;
  return staged.scene;
}
/** The send is refused for this reason, sends nothing, changes nothing, and leaves the campaign editable. */
async function expectRefused(
  { id }: Scene,
  { name, refusal: [status, code, message] }: Pick<Obstacle, "name" | "refusal">,
): Promise<void> {
  const before = sendState(api);
  const answer = await send(api, id);
  expect([name, answer.status, answer.body.error?.code]).toEqual([name, status, code]);
  const checked = await api.call("POST", `/campaigns/${id}/check`);
  expect([checked.status, checked.body.data.refusal]).toEqual([200, answer.body.error]);
  expect(answer.body.error.message).toMatch(message);
  expect(sendState(api)).toEqual(before);
  expect(usageOf(api)).toEqual({});
  expect(api.relay.transactions).toBe(0);
  expect((await patch(id, { name: "Still a draft" })).status).toBe(200);
}

const expectSentToAll = (scene: Scene) => expectSent(api, scene);

test("MJML whose format is HTML is refused: everybody would get its source", async () => {
  const scene = await stage();
  await patch(scene.id, { body: "<mjml><mj-body></mj-body></mjml>" });
  await expectRefused(scene, { name: "MJML", refusal: [422, "VALIDATION_ERROR", /MJML as its format/] });
});

describe("the order of refusals", () => {
  test("all in the way at once: mending one shows the next, mending the last sends", async () => {
    const scene = await stage();
    for (const obstacle of OBSTACLES) await obstacle.place(scene);
    for (const obstacle of OBSTACLES) {
      await expectRefused(scene, obstacle);
      await obstacle.mend(scene);
    }
    await expectSentToAll(scene);
  });

  test.each(OBSTACLES.slice(1).map((later, index) => [OBSTACLES[index]!.name, later.name, index] as const))(
    "%s goes before: %s",
    async (_earlier, _later, index) => {
      const scene = await stage();
      const [earlier, later] = [OBSTACLES[index]!, OBSTACLES[index + 1]!];
      // Placed the other way round: the order is the rule's, not that of the settings.
      await later.place(scene);
      await earlier.place(scene);
      await expectRefused(scene, earlier);
      await earlier.mend(scene);
      await expectRefused(scene, later);
      await later.mend(scene);
      await expectSentToAll(scene);
    },
  );

  test("a SENT campaign says so, whatever else is in the way and however bad the body is", async () => {
    const scene = await stage();
    await expectSentToAll(scene);
    await markSent(api, scene.id, NOW);
    for (const obstacle of OBSTACLES) if (obstacle.name !== "there is no list") await obstacle.place(scene);
    const before = sendState(api);
    for (const body of [undefined, {}, { excludeEmails: "everybody" }, { overrideQuietHours: true }]) {
      const answer = await send(api, scene.id, body);
      expect([answer.status, answer.body.error.code]).toEqual([422, "CAMPAIGN_ALREADY_SENT"]);
    }
    expect(sendState(api)).toEqual(before);
    expect(api.relay.accepted.length).toBe(2);
  });

  test("an unknown campaign is 404 before any body or guardrail is looked at", async () => {
    await stage();
    await set({ suspended: true });
    const answer = await send(api, "cmp_nobody", { excludeEmails: 5 });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("a body of wrong types is refused before any guardrail is asked", async () => {
    const scene = await stage();
    await set({ suspended: true });
    const answer = await send(api, scene.id, { overrideQuietHours: "yes" });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });
});
