import { afterEach, describe, expect, test } from "bun:test";
import { chain, live } from "../../support/automations/automations.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { mailedOnce, people, recorded, sentTo, startLimited, wait } from "../../support/sending/domains.ts";
import type { ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { otherWorkspace } from "../../support/sending/sending-state.ts";
import type { Script } from "../../support/sending/smtp-script.ts";
import { writeTo } from "../../support/server/services.ts";
import { MINUTE, HOUR } from "../../support/common/durations.ts";

/** Rows owed to a domain that may get nothing now. */
const HELD = 10_000;

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

async function limited(domainLimits: object | null, script: Script = {}): Promise<ManualClock> {
  const started = await startLimited(domainLimits, script);
  api = started.api;
  return started.clock;
}

describe("messages an hour to a domain", () => {
  test("are a limit of any hour: the others go out at once, and the rest when there is room", async () => {
    const clock = await limited({ "gmail.com,googlemail.com": { perHour: 6 } });
    const audience = [
      ...people("gmail.com", 10),
      ...people("googlemail.com", 5),
      ...people("other.example", 20),
    ];
    const id = await makeCampaign(api, (await makeAudience(api, audience)).listId);
    const answer = await driven(clock, send(api, id));
    expect(answer.body.data).toEqual({ sent: 26, failed: 0, remaining: 9, complete: false });
    expect([sentTo(api, "gmail.com") + sentTo(api, "googlemail.com"), sentTo(api, "other.example")]).toEqual([
      6, 20,
    ]);
    const waits = "The others wait for gmail.com and 1 more (6 messages an hour).";
    await driven(
      clock,
      eventually(async () => (await reportOf(api, id)).blocked === waits),
    );
    await wait(clock, HOUR - MINUTE);
    expect(api.relay.accepted).toHaveLength(26);
    clock.advance(2 * MINUTE);
    await drivenUntil(clock, () => recorded(api) === 32);
    await wait(clock, HOUR - MINUTE);
    expect(api.relay.accepted).toHaveLength(32);
    clock.advance(2 * MINUTE);
    await drivenUntil(clock, () => rowOf(api, id).status === "SENT");
    expect(rowsOf(api, id).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
    mailedOnce(api);
  });

  test("hold over a restart and over campaigns; /send is not held back but counts; other workspaces have their own", async () => {
    const clock = await limited({ "gmail.com": { perHour: 6 } });
    const receipt = { to: "ada@gmail.com", subject: "Your receipt", text: "Thanks" };
    expect((await driven(clock, api.call("POST", "/send", receipt))).body.data.sent).toBe(1);
    const first = await makeCampaign(api, (await makeAudience(api, people("gmail.com", 3))).listId);
    await driven(clock, send(api, first));
    expect(rowOf(api, first).status).toBe("SENT");
    api = await api.restart();
    const second = await makeCampaign(api, (await makeAudience(api, people("gmail.com", 9))).listId);
    await driven(clock, send(api, second));
    expect([sentTo(api, "gmail.com"), (await reportOf(api, second)).remaining]).toEqual([6, 7]);
    expect((await driven(clock, api.call("POST", "/send", receipt))).body.data.sent).toBe(1);
    api = await api.restart();
    await wait(clock, 0);
    expect(sentTo(api, "gmail.com")).toBe(7);
    const other = await otherWorkspace(api);
    const theirs = await makeCampaign(other, (await makeAudience(other, people("gmail.com", 8))).listId);
    await driven(clock, send(other, theirs));
    expect(sentTo(api, "gmail.com")).toBe(15);
  });

  test("can be raised and switched off while they hold a campaign back", async () => {
    const clock = await limited({ "gmail.com": { perHour: 2 } });
    const id = await makeCampaign(api, (await makeAudience(api, people("gmail.com", 300))).listId);
    await driven(clock, send(api, id));
    expect(api.relay.accepted).toHaveLength(2);
    await api.call("PATCH", "/settings", { domainLimits: { "gmail.com,gmx.de": { perHour: 5 } } });
    await drivenUntil(clock, () => recorded(api) === 5);
    await wait(clock, 0);
    expect(api.relay.accepted).toHaveLength(5);
    await api.call("PATCH", "/settings", { domainLimits: null });
    await drivenUntil(clock, () => rowOf(api, id).status === "SENT");
    expect(api.relay.accepted).toHaveLength(300);
    mailedOnce(api);
  });

  test("a long stretch of a limited domain does not keep others waiting, and is not read again and again", async () => {
    const clock = await limited({ "gmail.com": { perHour: 3 } });
    const audience = [...people("gmail.com", 12), ...people("other.example", 2)];
    const { listId } = await makeAudience(api, audience);
    await writeTo(
      api,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HELD})
       INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'ct_' || i, 1, 'a-' || i || '@gmail.com', '', '', 'SUBSCRIBED', 'a-' || i, 0 FROM n`,
    );
    await writeTo(
      api,
      `INSERT INTO list_members (list, contact, status, added_at)
       SELECT l.seq, c.seq, c.status, 0 FROM contacts c, lists l WHERE l.id = '${listId}' AND c.id LIKE 'ct__%' AND c.email LIKE 'a-%'`,
    );
    const { readings, rows } = countReadings();
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    await drivenUntil(clock, () => recorded(api) === 5);
    expect(sentTo(api, "gmail.com")).toBe(3);
    // Once from front to back, in pieces of a thousand rows.
    expect(rows()).toBeWithin(HELD, HELD + 2_000);
    expect(readings()).toBeLessThan(HELD / 1_000 + 40);
    const [readBefore, rowsBefore] = [readings(), rows()];
    await wait(clock, 10 * MINUTE);
    // It is looked whether something became due; the long stretch is not read again.
    expect(readings() - readBefore).toBeLessThan(12);
    expect(rows()).toBe(rowsBefore);
    expect(sentTo(api, "gmail.com")).toBe(3);
    clock.advance(HOUR);
    await drivenUntil(clock, () => recorded(api) === 8);
    await wait(clock, 0);
    // Room for three more: the reading goes on where it was, however much is behind it.
    expect(rows() - rowsBefore).toBeLessThan(2_000);
    expect(sentTo(api, "gmail.com")).toBe(6);
  });
});

/** How often new owed rows were read, and how many rows were passed by doing so. */
function countReadings() {
  const { ledger } = api.services;
  const owed = ledger.owed.bind(ledger);
  let [readings, rows] = [0, 0];
  Object.assign(ledger, {
    async owed(...how: Parameters<typeof owed>) {
      const read = await owed(...how);
      readings++;
      rows += read.through.fresh - how[1].fresh;
      return read;
    },
  });
  return { readings: () => readings, rows: () => rows };
}

test("automations are held back by a limit, confirmations are not", async () => {
  const clock = await limited({ "gmail.com": { perHour: 2 } });
  const flow = chain({ trigger: "new_subscriber" }, [
    "hello",
    "action",
    { action: "send_email", subject: "Welcome", html: "<p>Hello</p>" },
  ]);
  await live(api, flow);
  for (const address of people("gmail.com", 4)) await person(api, address);
  await person(api, "ada@other.example");
  await drivenUntil(clock, () => recorded(api) === 3);
  await wait(clock, 10 * MINUTE);
  expect([sentTo(api, "gmail.com"), sentTo(api, "other.example")]).toEqual([2, 1]);
  await api.call("PATCH", "/settings", { doubleOptIn: true });
  const { listId } = await makeAudience(api, 0);
  const form = await api.call("POST", "/forms", { name: "Stay in touch", listId });
  const signUp = { method: "POST", body: JSON.stringify({ email: "grace@gmail.com" }) };
  const submit = fetch(`${api.url}/api/forms/${form.body.data.id}/submit`, signUp);
  expect((await driven(clock, submit)).status).toBe(200);
  await drivenUntil(clock, () => recorded(api) === 4);
  expect(sentTo(api, "gmail.com")).toBe(3);
  clock.advance(HOUR + 12 * MINUTE);
  await drivenUntil(clock, () => recorded(api) === 6);
  expect(api.relay.accepted.filter(({ raw }) => raw.includes("Subject: Welcome"))).toHaveLength(5);
  mailedOnce(api);
});

describe("connections of a domain", () => {
  test("are the most messages that are under way at the same time, whatever the relay takes", async () => {
    let [now, most] = [0, 0];
    const slowly: Script = {
      DOT: ({ rcptTo }) => {
        if (!rcptTo[0]?.endsWith("@gmail.com")) return undefined;
        most = Math.max(most, ++now);
        const after = new Promise((resolve) => setTimeout(resolve, 2)).then(() => now--);
        return { reply: "250 2.0.0 Queued", and: "go on", after };
      },
    };
    const clock = await limited({ "gmail.com": { connections: 2 } }, slowly);
    const audience = [...people("gmail.com", 40), ...people("other.example", 40)];
    const id = await makeCampaign(api, (await makeAudience(api, audience)).listId);
    await driven(clock, send(api, id), 1);
    expect(rowOf(api, id).status).toBe("SENT");
    expect(most).toBe(2);
    expect(numberOf(api, "SELECT count(*) AS n FROM domain_sends")).toBe(0);
    mailedOnce(api);
  });
});
