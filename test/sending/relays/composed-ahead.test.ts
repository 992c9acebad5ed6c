/** Messages are composed and signed before their connection is free. What is not sent after all is thrown away. */
import { afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { PEM, verdictsOn } from "../../support/sending/dkim.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  addressesMailed,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  rowsOf,
  send,
  startSending,
  steer,
  type Audience,
  type SendingApi,
} from "../../support/sending/sending.ts";
import type { Script } from "../../support/sending/smtp-script.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

describe("a signed message", () => {
  let clock: ManualClock;
  let audience: Audience;
  let id: string;
  let sent: Promise<unknown>;
  let goOn: () => void;

  /** A workspace that signs, one connection, and a campaign to four people that has begun. */
  async function startSigning(relay: Script): Promise<void> {
    clock = manualClock();
    api = await startSending(relay, { clock, connections: 1 });
    const file = `${api.dataDir}/key.pem`;
    writeFileSync(file, PEM);
    await api.services.workspaces.changeSettings(api.workspaceId, {
      dkimDomain: "example.org",
      dkimSelector: "s1",
      dkimPrivateKeyFile: file,
    });
    audience = await makeAudience(api, 4);
    id = await makeCampaign(api, audience.listId);
    sent = send(api, id);
    // From the plan on the clock stands still: how long ago a row was read is then no matter of how busy the machine is.
    await drivenUntil(clock, () => rowsOf(api, id).length === 4);
  }

  /** The second message waits for the relay's answer to DATA, and meanwhile the third is composed. */
  async function startAndHold(): Promise<void> {
    const gate = Promise.withResolvers<void>();
    goOn = gate.resolve;
    let isHeld = false;
    const DATA: Script["DATA"] = ({ message }) => {
      isHeld ||= message === 2;
      return message === 2 ? { reply: "354 go on", and: "go on", after: gate.promise } : undefined;
    };
    await startSigning({ DATA });
    await eventually(() => isHeld);
  }

  const composedAt = (nth: number): number => rowsOf(api, id)[nth]!.first_attempt_at!;

  test("is composed and signed while the one before it is on its way", async () => {
    await startAndHold();
    const heldAt = clock.now();
    // Enough to tell whether it is composed anew.
    clock.advance(1);
    goOn();
    await driven(clock, sent);
    expect(addressesMailed(api)).toEqual(audience.addresses);
    expect(composedAt(2)).toBeLessThanOrEqual(heldAt);
    for (const { raw } of api.relay.accepted)
      expect(await verdictsOn(raw, "example.org", "s1")).toEqual(["pass example.org"]);
  });

  test("is kept while the sender looks at its mailing once more", async () => {
    await startAndHold();
    const heldAt = clock.now();
    clock.advance(1);
    // It is answered when the sender has looked. Nothing was paused.
    expect((await steer(api, id, "resume")).status).toBe(200);
    goOn();
    await driven(clock, sent);
    expect(addressesMailed(api)).toEqual(audience.addresses);
    expect(composedAt(2)).toBeLessThanOrEqual(heldAt);
  });

  test("is thrown away if its workspace does not sign any more", async () => {
    await startAndHold();
    await api.services.workspaces.changeSettings(api.workspaceId, { dkimDomain: "" });
    await steer(api, id, "resume");
    goOn();
    await driven(clock, sent);
    expect(addressesMailed(api)).toEqual(audience.addresses);
    expect(api.relay.accepted.at(-1)?.raw).not.toContain("DKIM-Signature");
    expect(api.relay.accepted[2]?.raw).not.toContain("DKIM-Signature");
  });

  test("that lay about for long is thrown away and composed anew, and goes out once", async () => {
    await startAndHold();
    clock.advance(5_000);
    const heldUntil = clock.now();
    goOn();
    await driven(clock, sent);
    expect(addressesMailed(api)).toEqual(audience.addresses);
    expect(composedAt(2)).toBeGreaterThanOrEqual(heldUntil);
  });

  test("does not go out where its person left after it was composed", async () => {
    await startAndHold();
    const [, , third] = audience.contactIds;
    await driven(clock, api.call("PATCH", `/contacts/${third}`, { status: "UNSUBSCRIBED" }));
    goOn();
    await driven(clock, sent);
    await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state !== "queued"));
    expect(addressesMailed(api)).not.toContain(audience.addresses[2]!);
    expect(rowsOf(api, id).map(({ state }) => state)).toEqual(["sent", "sent", "skipped", "sent"]);
  });

  test("goes out where the one before it does not, because its person had left when it was read", async () => {
    const gate = Promise.withResolvers<void>();
    const MAIL: Script["MAIL"] = ({ message }) =>
      message === 1 ? { reply: "250 2.1.0 Ok", and: "go on", after: gate.promise } : undefined;
    await startSigning({ MAIL });
    await api.relay.reached("MAIL");
    await driven(clock, steer(api, id, "pause"));
    gate.resolve();
    await driven(clock, sent);
    await eventually(() => api.relay.open === 0);
    // Longer than the server needs to drop the mailing, so that resume reads the rows again.
    const pausedAt = clock.now();
    await drivenUntil(clock, () => clock.now() > pausedAt + 3_000);
    const [, second] = audience.contactIds;
    await driven(clock, api.call("PATCH", `/contacts/${second}`, { status: "UNSUBSCRIBED" }));
    await driven(clock, steer(api, id, "resume"));
    await drivenUntil(clock, () =>
      rowsOf(api, id).every(({ state }) => state !== "queued" && state !== "dot"),
    );
    expect(rowsOf(api, id).map(({ state }) => state)).toEqual(["sent", "skipped", "sent", "sent"]);
  });
});

describe("the commit before a dot", () => {
  /** What was said with each dot: whether another message may still come to its own. */
  function spyOnClaims(): boolean[] {
    const said: boolean[] = [];
    const { ledger } = api.services;
    const claimDot = ledger.claimDot.bind(ledger);
    Object.assign(ledger, {
      claimDot(...args: Parameters<typeof claimDot>) {
        said.push(args[4].isLast);
        return claimDot(...args);
      },
    });
    return said;
  }

  test("waits for nobody where no other message is on its way", async () => {
    api = await startSending({}, { connections: 1 });
    const said = spyOnClaims();
    await send(api, await makeCampaign(api, (await makeAudience(api, 5)).listId));
    expect(said).toEqual([true, true, true, true, true]);
  });

  test("waits for those that are on their way, a moment", async () => {
    const gate = Promise.withResolvers<void>();
    const DATA: Script["DATA"] = ({ message }) =>
      message === 1 ? { reply: "354 go on", and: "go on", after: gate.promise } : undefined;
    api = await startSending({ DATA }, { connections: 3 });
    const said = spyOnClaims();
    const sent = send(api, await makeCampaign(api, (await makeAudience(api, 6)).listId));
    await eventually(() => said.length === 5);
    expect(said).toEqual([false, false, false, false, false]);
    gate.resolve();
    await sent;
    expect(said.at(-1)).toBe(true);
  });
});

describe("a row that was read before the clock was set back", () => {
  test("is read again, so the mail has what is known of its person now", async () => {
    const held = manualClock();
    let aheadMs = 3_600_000;
    const clock = { ...held, now: () => held.now() + aheadMs };
    const gate = Promise.withResolvers<void>();
    const DATA: Script["DATA"] = ({ message }) =>
      message === 1 ? { reply: "354 go on", and: "go on", after: gate.promise } : undefined;
    api = await startSending({ DATA }, { clock, connections: 1 });
    const audience = await makeAudience(api, 2);
    const body = "<p>Dear {{ contact.firstName }}</p>";
    const id = await makeCampaign(api, audience.listId, { body });
    await api.call("PATCH", `/campaigns/${id}/options`, { personalize: true });
    const sent = send(api, id);
    await drivenUntil(clock, () => rowsOf(api, id).length === 2);
    await api.relay.reached("DATA");
    aheadMs = 0;
    await driven(clock, api.call("PATCH", `/contacts/${audience.contactIds[1]}`, { firstName: "Grace" }));
    gate.resolve();
    await driven(clock, sent);
    expect(addressesMailed(api)).toEqual(audience.addresses);
    expect(api.relay.accepted[1]?.raw).toContain("Dear Grace");
  });
});
