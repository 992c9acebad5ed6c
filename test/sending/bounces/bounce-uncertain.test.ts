import { afterEach, describe, expect, test } from "bun:test";
import { BOUNCE_DOMAIN, dsn, overSmtp, vacation } from "../../support/inbound/reports.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  deliveriesOf,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

const GRACE = "grace@example.com";
let api: SendingApi;
afterEach(() => api.stop());

/** A message whose dot the relay took, and never answered: nobody knows what became of it. */
async function unknown(): Promise<{ campaignId: string; sender: string }> {
  api = await startSending({ DOT: () => ({ and: "drop", kept: true }) });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  const { listId } = await makeAudience(api, [GRACE]);
  const campaignId = await makeCampaign(api, listId);
  await send(api, campaignId);
  await eventually(() => rowsOf(api, campaignId)[0]?.state === "uncertain");
  return { campaignId, sender: api.relay.accepted[0]?.mailFrom ?? "" };
}

describe("a message of unknown outcome", () => {
  test.each([
    ["delayed", dsn({ action: "delayed" }), "SENT"],
    ["delivered", dsn({ action: "delivered", status: "2.0.0", diagnostic: "" }), "SENT"],
    ["refused by policy", dsn({ status: "5.7.1", diagnostic: "smtp; 550 5.7.1 spam" }), "SENT"],
    ["answered by a program", vacation(), "SENT"],
    ["dead", dsn(), "BOUNCED"],
  ])("of which a report says that it is %s, was sent", async (_, mail, state) => {
    const { campaignId, sender } = await unknown();
    expect(await overSmtp(api, mail, sender)).toBe("applied");
    expect((await deliveriesOf(api, campaignId))[GRACE].state).toBe(state);
    const bounced = state === "BOUNCED" ? 1 : 0;
    expect(await reportOf(api, campaignId)).toMatchObject({ uncertain: 0, bounced });
    const { stat } = (await api.call("GET", `/campaigns/${campaignId}`)).body.data;
    expect([stat.sent, stat.bounced]).toEqual([1, bounced]);
  });
});
