import { afterEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { suppressions } from "../../support/people/people.ts";
import { BOUNCE_DOMAIN, dsn, overSmtp } from "../../support/inbound/reports.ts";
import { driven, startSending, type SendingApi } from "../../support/sending/sending.ts";

const ADDRESS = "full@example.com";
const SOFT = dsn({ status: "4.2.2", diagnostic: "smtp; 452 4.2.2 Mailbox full" });

let api: SendingApi;
let clock: ManualClock;
afterEach(() => api.stop());

async function start(): Promise<string> {
  clock = manualClock();
  api = await startSending({}, { clock });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  return (await api.call("POST", "/contacts", { email: ADDRESS })).body.data.id;
}

/** One more message to the address, and the report that it failed for now. */
async function strike(report = SOFT): Promise<void> {
  const before = api.relay.accepted.length;
  await driven(clock, api.call("POST", "/send", { to: ADDRESS, subject: "Receipt", text: "Thanks" }));
  await overSmtp(api, report, api.relay.accepted[before]?.mailFrom ?? "");
}

const standing = async (id: string) => [
  (await api.call("GET", `/contacts/${id}`)).body.data.status,
  (await suppressions(api))[ADDRESS],
];
const MAILABLE = ["SUBSCRIBED", undefined];
const DEAD = ["BOUNCED", "HARD_BOUNCE"];

describe("temporary failures", () => {
  test("three on different days within 30 days suppress, although the relay took mail between them", async () => {
    const id = await start();
    await strike();
    clock.advance(10 * DAY_MS);
    await strike();
    expect(await standing(id)).toEqual(MAILABLE);
    clock.advance(10 * DAY_MS);
    await strike();
    expect(await standing(id)).toEqual(DEAD);
  });

  test("any number on one day or two days does not", async () => {
    const id = await start();
    for (const pause of [0, HOUR_MS, HOUR_MS, DAY_MS, HOUR_MS]) {
      clock.advance(pause);
      await strike();
    }
    expect(await standing(id)).toEqual(MAILABLE);
  });

  test("three over more than 30 days do not", async () => {
    const id = await start();
    await strike();
    clock.advance(16 * DAY_MS);
    await strike();
    clock.advance(16 * DAY_MS);
    await strike();
    expect(await standing(id)).toEqual(MAILABLE);
  });
});

describe("what a mail server reports on three days", () => {
  const REPORTS: readonly [status: string, diagnostic: string, isStrike: boolean][] = [
    ["4.4.1", "X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out", false],
    ["4.4.2", "X-Postfix; lost connection with mx.example.com[192.0.2.1] while sending RCPT TO", false],
    ["4.4.3", "X-Postfix; Name service error for name=example.com type=MX: Host not found, try again", false],
    ["5.4.4", "X-Postfix; Name service error for name=example.com type=MX: Host not found, try again", false],
    ["4.4.7", "smtp; 450 4.4.7 Delivery time expired", false],
    ["5.4.7", "", false],
    ["5.0.0", "smtp; retry timeout exceeded", false],
    ["4.4.7", "smtp; 450 4.2.0 Mailbox busy", true],
    ["4.4.7", "smtp; 450 not now", true],
    ["5.0.0", "smtp; host mx.example.com [192.0.2.1]: 452 4.2.2 Over quota: retry timeout exceeded", true],
    ["5.0.0", "smtp; host mx.example.com [192.0.2.1]: 450 4.2.0 busy: retry timeout exceeded", true],
    ["4.3.0", "smtp; 451 4.3.0 Local error", true],
    ["4.4.7", "smtp; 550 4.4.7 QUEUE.Expired; message expired [{LED=452 4.2.2 Mailbox full}]", true],
    ["4.4.7", "smtp; 550 4.4.7 QUEUE.Expired; message expired", false],
  ];
  test.each(REPORTS)("%s, %s: counts %p", async (status, diagnostic, isStrike) => {
    const id = await start();
    for (let nth = 0; nth < 3; nth++) {
      await strike(dsn({ status, diagnostic }));
      clock.advance(2 * DAY_MS);
    }
    expect(await standing(id)).toEqual(isStrike ? DEAD : MAILABLE);
    const timeline = (await api.call("GET", `/contacts/${id}/timeline?limit=100`)).body.data;
    expect(timeline.filter(({ kind }: { kind: string }) => kind === "bounce")).toHaveLength(3);
  });
});
