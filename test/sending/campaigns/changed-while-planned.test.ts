import { afterEach, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import { countRows } from "../../support/sending/campaigns.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { mailOf, sendState, usageOf } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);
const patch = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}`, body);
const option = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}/options`, body);

/** The settings are read when everybody is planned: `run` runs once, just before that. */
function whilePlanning(run: () => Promise<unknown>): void {
  const { workspaces } = api.services;
  const settings = workspaces.settings.bind(workspaces);
  let isDone = false;
  const hooked = async (workspaceId: string): Promise<Settings> => {
    if (!isDone && countRows(api, "mailings") > 0) {
      isDone = true;
      await run();
    }
    return await settings(workspaceId);
  };
  Object.assign(workspaces, { settings: hooked });
}

async function personalCampaign(): Promise<string> {
  api = await startSending();
  const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.org"]);
  const id = await makeCampaign(api, listId, { body: "<p>Hello {{ contact.firstName }}</p>" });
  await option(id, { personalize: true });
  return id;
}

test.each<[string, (id: string) => Promise<unknown>, readonly [number, RegExp]]>([
  [
    "Liquid no longer compiles",
    (id) => patch(id, { body: "<p>{% if contact.firstName %}</p>" }),
    [422, /line 1/],
  ],
  ["MJML does not compile", (id) => option(id, { format: "mjml" }), [422, /MJML/i]],
  ["postal address is gone", () => set({ mailingAddress: "" }), [422, /physical mailing address/]],
  ["sender is gone", () => set({ fromEmail: "" }), [422, /sender address/]],
  ["workspace is suspended", () => set({ suspended: true }), [403, /suspended/]],
  ["workspace has turned sending off", () => set({ sending: false }), [403, /turned off/]],
])(
  "a campaign whose %s when its list is planned is refused: nobody's message fails",
  async (_, change, refusal) => {
    const id = await personalCampaign();
    whilePlanning(() => change(id));
    const { status, body } = await send(api, id);
    const [code, says] = refusal;
    expect([status, body.error?.message]).toEqual([code, expect.stringMatching(says)]);
    const { mailings, deliveries } = sendState(api);
    expect([mailings, deliveries, api.relay.transactions, usageOf(api)]).toEqual([[], [], 0, {}]);
    expect((await api.call("GET", `/campaigns/${id}`)).body.data.status).toBe("DRAFT");
  },
);

test("a letter that is changed while its list is planned is checked, and goes out as it is then", async () => {
  const id = await personalCampaign();
  whilePlanning(() => patch(id, { subject: "Hello {{ contact.email }}" }));
  expect((await send(api, id)).body.data).toMatchObject({ sent: 2, complete: true });
  expect(mailOf(api).toSorted()).toEqual([
    "ada@example.com: Hello ada@example.com",
    "grace@example.org: Hello grace@example.org",
  ]);
});

test("quiet hours that begin while a list is planned do not stop the send", async () => {
  const id = await personalCampaign();
  whilePlanning(() => set({ quietHours: { fromMinute: 0, toMinute: 1439 } }));
  expect((await send(api, id)).body.data).toMatchObject({ sent: 2, complete: true });
});
