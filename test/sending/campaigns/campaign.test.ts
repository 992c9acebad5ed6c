import { afterEach, describe, expect, test } from "bun:test";
import { eventually } from "../../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  send,
  startSending,
  steer,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
afterEach(() => api.stop());

describe("a campaign", () => {
  test("reaches everybody on its list once, and is SENT", async () => {
    api = await startSending();
    const { listId, addresses } = await makeAudience(api, 25);
    const id = await makeCampaign(api, listId);
    const answer = await send(api, id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ sent: 25, failed: 0, remaining: 0, complete: true });
    expect(api.relay.accepted.flatMap((message) => message.rcptTo).toSorted()).toEqual(addresses.toSorted());
    const campaign = (await api.call("GET", `/campaigns/${id}`)).body.data;
    expect(campaign.status).toBe("SENT");
    expect(campaign.stat).toEqual({ sent: 25, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0 });
    expect(await reportOf(api, id)).toMatchObject({
      planned: 25,
      sent: 25,
      remaining: 0,
      uncertain: 0,
      blocked: null,
    });
    expect((await send(api, id)).body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
  });

  test.each([
    ["deleted", (id: string) => api.call("DELETE", `/campaigns/${id}`)],
    ["stopped", (id: string) => steer(api, id, "stop")],
  ] as const)("that is %s while its send waits: the answer says that nothing is owed", async (_, end) => {
    const ended = Promise.withResolvers<unknown>();
    // The first message stays at its dot until then.
    api = await startSending({ DOT: { reply: "250 ok", and: "go on", after: ended.promise } });
    const { listId } = await makeAudience(api, 40);
    const id = await makeCampaign(api, listId);
    const sending = send(api, id);
    await api.relay.reached("DOT");
    const done = end(id);
    await eventually(() => numberOf(api, "SELECT count(*) AS n FROM mailings WHERE phase = 'stopped'") === 1);
    ended.resolve(null);
    const answer = await sending;
    expect((await done).status).toBeLessThan(300);
    const sent = api.relay.accepted.length;
    expect(answer.body).toEqual({ data: { sent, failed: 0, remaining: 0, complete: true } });
    expect(sent).toBeLessThan(40);
  });

  test("whose letter holds merge tags is sent as written, and its log and report say so, once", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, 2);
    const body = "<p>Dear *|FNAME|*, {{ first_name }}</p>";
    const id = await makeCampaign(api, listId, { body });
    expect((await send(api, id)).body.data).toMatchObject({ sent: 2, complete: true });
    await send(api, id);
    for (const { raw } of api.relay.accepted)
      expect(raw).toContain("<p>Dear *|FNAME|*, {{ first_name }}</p>");
    const { warnings } = await reportOf(api, id);
    expect(warnings).toEqual([expect.stringContaining("*|FNAME|*, {{ first_name }}")]);
    const warned = api.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ warning }) => warning !== undefined);
    expect(warned).toEqual([expect.objectContaining({ level: "warn", campaign: id, warning: warnings[0] })]);
  });
});
