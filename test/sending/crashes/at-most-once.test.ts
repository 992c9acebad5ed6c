import { afterEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import type { Moment, Script } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  SENDER,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { writeTo } from "../../support/server/services.ts";
import { trap } from "../../support/storage/traps.ts";

const ADA = "ada@example.com";
/** A plan goes by address: he comes before her. */
const AARON = "aaron@example.org";
const GRACE = "grace@example.org";
const LINUS = "linus@example.net";

let api: SendingApi;
afterEach(() => api.stop());

describe("calls at the same time", () => {
  test("ten at once mail everybody once, and their `sent` adds up", async () => {
    api = await startSending();
    const { listId, addresses } = await makeAudience(api, 60);
    const id = await makeCampaign(api, listId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(api, id)));
    const good = answers.filter(({ status }) => status === 200);
    for (const { status, body } of answers)
      if (status !== 200) expect(body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
    expect(good.reduce((sum, { body }) => sum + body.data.sent, 0)).toBe(60);
    expect(good.filter(({ body }) => body.data.sent > 0)).toHaveLength(1);
    for (const { body } of good)
      expect(body.data).toMatchObject({ failed: 0, complete: body.data.remaining === 0 });
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
    expect(numberOf(api, "SELECT count(*) AS n FROM mailings")).toBe(1);
    expect(numberOf(api, "SELECT sum(n) AS n FROM sending_usage WHERE length(period) = 10")).toBe(60);
  });

  test("a call while another sends says what remains, and counts nothing", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    api = await startSending(
      { DATA: () => ({ reply: "354 Go ahead", and: "go on", after: gate }) },
      // One of the three is kept for mail somebody waits for.
      { connections: 3 },
    );
    const { listId } = await makeAudience(api, 5);
    const id = await makeCampaign(api, listId);
    const first = send(api, id);
    await api.relay.reached("DATA", 2);
    const second = await send(api, id);
    expect(second.body.data).toEqual({ sent: 0, failed: 0, remaining: 5, complete: false });
    expect(await statusOf(api, id)).toBe("DRAFT");
    open();
    expect((await first).body.data).toEqual({ sent: 5, failed: 0, remaining: 0, complete: true });
    expect((await send(api, id)).body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
    expect(addressesMailed(api)).toHaveLength(5);
  });

  test("two campaigns to one list reach everybody twice, once each", async () => {
    api = await startSending();
    const { listId, addresses } = await makeAudience(api, 20);
    const ids = [
      await makeCampaign(api, listId),
      await makeCampaign(api, listId, { subject: "Summer is here" }),
    ];
    const answers = await Promise.all(ids.map((id) => send(api, id)));
    expect(answers.map(({ body }) => body.data.sent)).toEqual([20, 20]);
    for (const subject of ["Spring is here", "Summer is here"]) {
      const of = api.relay.accepted
        .filter(({ raw }) => raw.includes(`Subject: ${subject}`))
        .flatMap(({ rcptTo }) => rcptTo);
      expect(of.toSorted()).toEqual(addresses.toSorted());
    }
  });

  test("workspaces take turns: a small send does not wait for a big one", async () => {
    api = await startSending({}, { connections: 1 });
    const other = await api.services.workspaces.create("Second");
    await api.services.workspaces.changeSettings(other.id, {
      ...SENDER,
      fromEmail: "news@second.example.org",
    });
    const second: SendingApi = {
      ...api,
      call: (method, path, body) => api.call(method, path, body, other.key),
    };
    const big = await makeCampaign(api, (await makeAudience(api, 120)).listId);
    const small = await makeCampaign(second, (await makeAudience(second, 10)).listId);
    const sendingBig = send(api, big);
    await api.relay.reached("DOT", 1);
    const before = api.relay.accepted.length;
    expect((await send(second, small)).body.data.sent).toBe(10);
    const order = api.relay.accepted.map(({ mailFrom }) => mailFrom);
    const last = order.lastIndexOf("news@second.example.org");
    expect(last).toBeLessThan(before + 10 + 60);
    const during = order.slice(order.indexOf("news@second.example.org"), last + 1);
    expect(during.filter((from) => from === SENDER.fromEmail).length).toBeLessThanOrEqual(10);
    expect((await sendingBig).body.data.sent).toBe(120);
  });
});

/** Holds Ada's message before its dot until `act` is done. */
function beforeHerDot(act: () => Promise<unknown>): Script {
  return {
    DATA: ({ rcptTo }: Moment) =>
      rcptTo.includes(ADA) ? { reply: "354 Go ahead", and: "go on", after: act() } : undefined,
  };
}

describe("between plan and dot", () => {
  type Act = (id: { contact: string; campaign: string; list: string }) => Promise<unknown>;
  const acts: [string, Act, state: string, reason: string | null][] = [
    [
      "an opt-out",
      ({ contact }) => api.call("PATCH", `/contacts/${contact}`, { consent: "declined" }),
      "SKIPPED",
      "OPTED_OUT",
    ],
    ["a suppression", () => api.services.suppressions.add(api.workspaceId, ADA), "SKIPPED", "SUPPRESSED"],
    [
      "a blocked domain",
      () => api.services.suppressions.blockDomain(api.workspaceId, "example.com"),
      "SKIPPED",
      "BLOCKED_DOMAIN",
    ],
    [
      "deleting the contact",
      ({ contact }) => api.call("DELETE", `/contacts/${contact}`),
      "SKIPPED",
      "CONTACT_GONE",
    ],
    [
      "deleting the contact and making it again",
      async ({ contact, list }) => {
        await api.call("DELETE", `/contacts/${contact}`);
        const { body } = await api.call("POST", "/contacts", { email: ADA });
        await api.call("POST", `/lists/${list}/contacts`, { contactId: body.data.id });
      },
      "SKIPPED",
      "CONTACT_GONE",
    ],
    [
      "another address of the contact",
      ({ contact }) => api.call("PATCH", `/contacts/${contact}`, { email: "ada@elsewhere.example" }),
      "SKIPPED",
      "CONTACT_GONE",
    ],
    [
      "a bounce of another campaign",
      () => writeTo(api, `UPDATE contacts SET status = 'BOUNCED' WHERE email = '${ADA}'`),
      "SKIPPED",
      "OPTED_OUT",
    ],
  ];
  for (const [name, act, state, reason] of acts) {
    test(`${name} keeps the message from going out`, async () => {
      let ids = { contact: "", campaign: "", list: "" };
      api = await startSending(beforeHerDot(() => act(ids)));
      const { listId, contactIds } = await makeAudience(api, [ADA, GRACE]);
      const campaign = await makeCampaign(api, listId);
      ids = { contact: contactIds[0]!, campaign, list: listId };
      expect((await send(api, campaign)).body.data).toEqual({
        sent: 1,
        failed: 0,
        remaining: 0,
        complete: true,
      });
      expect((await deliveriesOf(api, campaign))[ADA]).toMatchObject({
        state,
        reason,
        attempts: 0,
        sentAt: null,
      });
      expect(addressesMailed(api)).toEqual([GRACE]);
      expect((await reportOf(api, campaign)).skipped).toEqual({ [reason!]: 1 });
      expect(numberOf(api, "SELECT n FROM sending_usage WHERE length(period) = 10")).toBe(1);
      expect((await send(api, campaign)).body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
    });
  }

  test("deleting the campaign stops what has not reached its dot", async () => {
    let id = "";
    api = await startSending(
      beforeHerDot(() => api.call("DELETE", `/campaigns/${id}`)),
      { connections: 1 },
    );
    const { listId } = await makeAudience(api, [AARON, ADA, LINUS]);
    id = await makeCampaign(api, listId);
    const answer = await send(api, id);
    expect(answer.body.data).toMatchObject({ sent: 1, failed: 0 });
    expect(addressesMailed(api)).toEqual([AARON]);
    expect(rowsOf(api, id).map(({ state }) => state)).toEqual(["sent", "queued", "queued"]);
    expect((await api.call("GET", `/campaigns/${id}`)).status).toBe(404);
    expect(numberOf(api, "SELECT n FROM sending_usage WHERE length(period) = 10")).toBe(1);
    api = await api.restart();
    await api.sending.start();
    expect(addressesMailed(api)).toEqual([AARON]);
  });

  test("deleting its list stops nothing: the plan is made", async () => {
    let list = "";
    api = await startSending(
      beforeHerDot(() => api.call("DELETE", `/lists/${list}`)),
      { connections: 1 },
    );
    const audience = await makeAudience(api, [GRACE, ADA, LINUS]);
    list = audience.listId;
    const id = await makeCampaign(api, list);
    expect((await send(api, id)).body.data.sent).toBe(3);
    expect(addressesMailed(api)).toEqual([ADA, GRACE, LINUS].toSorted());
    expect((await api.call("GET", `/campaigns/${id}`)).body.data).toMatchObject({
      status: "SENT",
      listId: null,
    });
  });

  test("changing or scheduling the campaign is refused, and everybody gets the same letter", async () => {
    let id = "";
    const answers: unknown[] = [];
    const change = async () => {
      const calls = [
        api.call("PATCH", `/campaigns/${id}`, { subject: "Another one", body: "<p>Another one</p>" }),
        api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: "2030-01-01T00:00:00Z" }),
        api.call("DELETE", `/campaigns/${id}/schedule`),
      ];
      for (const { status, body } of await Promise.all(calls)) answers.push([status, body.error?.code]);
    };
    api = await startSending(beforeHerDot(change), { connections: 1 });
    const { listId } = await makeAudience(api, [GRACE, ADA, LINUS]);
    id = await makeCampaign(api, listId);
    expect((await send(api, id)).body.data.sent).toBe(3);
    expect(answers.slice(0, 2)).toEqual([
      [422, "CAMPAIGN_ALREADY_SENT"],
      [422, "CAMPAIGN_ALREADY_SENT"],
    ]);
    expect(new Set(api.relay.accepted.map(({ raw }) => /^Subject: .*$/m.exec(raw)?.[0])).size).toBe(1);
  });

  test("switching sending off holds what has not been started, and says so", async () => {
    const clock = manualClock();
    api = await startSending({}, { clock, connections: 1 });
    const { listId } = await makeAudience(api, [ADA, GRACE]);
    const id = await makeCampaign(api, listId);
    const settings = (sending: boolean) =>
      api.services.workspaces.changeSettings(api.workspaceId, { sending });
    const release = await trap(api, {
      at: "AFTER UPDATE OF phase ON mailings",
      only: "new.phase = 'sending'",
      act: `INSERT INTO settings (workspace, key, value) VALUES (new.workspace, 'sending', 'off')
            ON CONFLICT (workspace, key) DO UPDATE SET value = 'off'`,
    });
    const answer = await driven(clock, send(api, id));
    await release();
    expect(answer.body.data).toEqual({ sent: 0, failed: 0, remaining: 2, complete: false });
    expect((await reportOf(api, id)).blocked).toBe("Sending is turned off for this workspace.");
    await settings(true);
    await drivenUntil(clock, () => addressesMailed(api).length === 2);
    await drivenUntil(
      clock,
      () => numberOf(api, "SELECT count(*) AS n FROM campaigns WHERE status = 'SENT'") === 1,
    );
  });
});
