import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tokensOf } from "#deliveries/token.ts";
import { listOf } from "../../support/people/people.ts";
import { encoded, makePublic, type Form } from "../../support/people/preferences.ts";
import {
  deliveriesOf,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type Audience,
  type SendingApi,
} from "../../support/sending/sending.ts";

/** One connection, which waits at the first message's dot until `release`. */
let api: SendingApi;
let release: () => void;
let audience: Audience;
let other: string;

beforeEach(async () => {
  const held = Promise.withResolvers<null>();
  release = () => held.resolve(null);
  const waiting = { reply: "250 2.0.0 Ok", and: "go on", after: held.promise } as const;
  let dots = 0;
  api = await startSending({ DOT: () => (dots++ === 0 ? waiting : undefined) }, { connections: 1 });
  audience = await makeAudience(api, 4);
  other = await listOf(api, "Other", audience.contactIds);
  for (const list of [audience.listId, other]) await makePublic(api, list);
});
afterEach(() => api.stop());

/** Begins a send and waits until its first message is at its dot. */
async function sending(listId: string): Promise<{ campaignId: string; sent: Promise<unknown> }> {
  const campaignId = await makeCampaign(api, listId);
  const sent = send(api, campaignId);
  await api.relay.reached("DOT");
  return { campaignId, sent };
}

/** Posts the preferences page of somebody whose message stands in this campaign. */
async function choose(campaignId: string, address: string, form: Form): Promise<void> {
  const row = rowsOf(api, campaignId).find((one) => one.address === address)!;
  const { unsubscribe } = tokensOf(api.services.database.signingSecret, row.seq);
  const answer = await fetch(`${api.url}/p/${unsubscribe}`, { method: "POST", body: encoded(form) });
  expect(answer.status).toBe(200);
}

const recipients = () => api.relay.accepted.map(({ rcptTo }) => rcptTo[0]!).toSorted();
const statusOfContact = async (n: number): Promise<string> =>
  (await api.call("GET", `/contacts/${audience.contactIds[n - 1]}`)).body.data.status;
const reader = (n: number): string => `reader-${n}@example.com`;
const firstName = "";

describe("who leaves a list by the preferences page while a send to it is under way", () => {
  test("gets nothing of it, and stays SUBSCRIBED; the others get theirs", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    await choose(campaignId, reader(3), { firstName, lists: other });
    const during = await deliveriesOf(api, campaignId);
    expect([during[reader(3)].state, during[reader(3)].reason]).toEqual(["SKIPPED", "OPTED_OUT"]);
    release();
    await sent;
    expect(await statusOf(api, campaignId)).toBe("SENT");
    expect(recipients()).toEqual([reader(1), reader(2), reader(4)]);
    expect(await statusOfContact(3)).toBe("SUBSCRIBED");
    expect(await reportOf(api, campaignId)).toMatchObject({
      planned: 4,
      sent: 3,
      failed: 0,
      remaining: 0,
      skipped: { OPTED_OUT: 1 },
      unsubscribed: 0,
    });
  });

  test("and joins again gets nothing of that send either, but the next one", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    await choose(campaignId, reader(3), { firstName, lists: other });
    await choose(campaignId, reader(3), { firstName, lists: [other, audience.listId] });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(4)]);
    await send(api, await makeCampaign(api, audience.listId));
    expect(recipients().filter((address) => address === reader(3))).toHaveLength(1);
  });

  test("but at whose message the relay has everything, gets it: nobody can take it back", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    const atDot = rowsOf(api, campaignId).find(({ state }) => state === "dot")!.address;
    await choose(campaignId, atDot, { firstName });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(3), reader(4)]);
    expect((await deliveriesOf(api, campaignId))[atDot].state).toBe("SENT");
  });

  test("and is the last who is owed anything, ends it", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    for (const { address, state } of rowsOf(api, campaignId))
      if (state === "queued") await choose(campaignId, address, { firstName, lists: other });
    release();
    await sent;
    expect(await statusOf(api, campaignId)).toBe("SENT");
    expect(api.relay.accepted).toHaveLength(1);
  });
});

describe("a send under way to one list", () => {
  test("is not touched by who leaves another list, or joins one", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    await choose(campaignId, reader(3), { firstName, lists: audience.listId });
    await choose(campaignId, reader(4), { firstName, lists: [audience.listId, other] });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(3), reader(4)]);
  });

  test("passes by who leaves everything, as by the unsubscribe link", async () => {
    const { campaignId, sent } = await sending(audience.listId);
    await choose(campaignId, reader(3), { leave: "everything" });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(4)]);
    expect(await statusOfContact(3)).toBe("UNSUBSCRIBED");
    expect((await reportOf(api, campaignId)).skipped).toEqual({ OPTED_OUT: 1 });
  });
});

describe("a campaign with a segment", () => {
  /** Everybody whose address is at example.com. */
  async function segment(): Promise<string> {
    const rules = { field: "domain", op: "equals", value: "example.com" };
    return (await api.call("POST", "/segments", { name: "All", rules })).body.data.id;
  }
  async function campaignOf(listId: string | null): Promise<string> {
    const campaignId = await makeCampaign(api, listId);
    const options = { segmentId: await segment() };
    expect((await api.call("PATCH", `/campaigns/${campaignId}/options`, options)).status).toBe(200);
    return campaignId;
  }

  test("besides its list: who leaves the list gets nothing of it, because they got it as somebody on the list", async () => {
    const campaignId = await campaignOf(audience.listId);
    const sent = send(api, campaignId);
    await api.relay.reached("DOT");
    await choose(campaignId, reader(3), { firstName, lists: other });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(4)]);
  });

  test("alone: who leaves a list still gets it", async () => {
    const campaignId = await campaignOf(null);
    const sent = send(api, campaignId);
    await api.relay.reached("DOT");
    await choose(campaignId, reader(3), { firstName });
    release();
    await sent;
    expect(recipients()).toEqual([reader(1), reader(2), reader(3), reader(4)]);
    expect(await statusOfContact(3)).toBe("SUBSCRIBED");
  });
});
