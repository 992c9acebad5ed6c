/** Which of several relays the next message gets. Nothing is sent: the sessions are never opened. */
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { relayGroup } from "#mail/smtp/relay/relay-group.ts";
import type { Lease } from "#mail/smtp/relay/relay.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import { manualClock } from "../support/common/manual-clock.ts";

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

function idleSession(): SmtpSession {
  const session = { usable: true, served: 0, endedAfter: null, pipelines: true, close: async () => {} };
  return Object.assign(session, { destroy: () => void (session.usable = false) }) as unknown as SmtpSession;
}

/** The relays `first.example`, `second.example`, and so on; each learns what the test tells it. */
function relaysOf(hosts: readonly string[], { maxConnections = 4 } = {}) {
  const clock = manualClock();
  const urls = hosts.map((host) => `smtp://${host}.example?maxConnections=${maxConnections}`).join(" ");
  const group = relayGroup(unwrap(parseRelayUrls(urls)), clock, quiet, idleSession);
  const lent = (urgency: Urgency = "bulk"): Lease | null => {
    const got = group.lease(urgency);
    return "session" in got ? got : null;
  };
  /** Which relay the next message gets; it is under way from then on. */
  const next = (urgency?: Urgency) => lent(urgency)?.relay.label.split(".")[0] ?? null;
  const fails = async (lease: Lease): Promise<void> => {
    lease.relay.inTrouble(lease, { kind: "down", stage: "CONNECT", detail: "no greeting" });
    lease.session.destroy();
    await lease.relay.giveBack(lease);
  };
  return { clock, group, lent: (urgency?: Urgency) => lent(urgency)!, next, fails };
}

/** The first of two relays was in trouble, its pause is over, and one message tries it. */
async function firstIsBeingTried() {
  const relays = relaysOf(["first", "second"]);
  await relays.fails(relays.lent());
  const beside = relays.lent();
  relays.clock.advance(5_000);
  // The second relay's connection makes way, so that the first is tried.
  expect(relays.group.mayGoOn(beside)).toBe(false);
  const trial = relays.lent();
  expect([beside, trial].map(({ relay }) => relay.label)).toEqual([
    "second.example:587",
    "first.example:587",
  ]);
  return { ...relays, beside, trial };
}

test("while one message tries the first relay again, the others go on through the second", async () => {
  const { group, next, beside } = await firstIsBeingTried();
  expect([next(), next("prompt"), next("awaited")]).toEqual(["second", "second", "second"]);
  expect(group.mayGoOn(beside)).toBe(true);
});

test("the first relay is used again as soon as it took the message that tried it", async () => {
  const { group, next, beside, trial } = await firstIsBeingTried();
  trial.relay.accepted(trial);
  expect([next(), next("prompt"), next("awaited")]).toEqual(["first", "first", "first"]);
  expect(group.mayGoOn(beside)).toBe(false);
});

test("a relay that loses messages at the dot gets one at a time, and the next relay the others", async () => {
  const { clock, group, lent, next } = relaysOf(["first", "second"]);
  const leases = Array.from({ length: 3 }, () => lent());
  for (let lost = 0; lost < 5; lost++)
    leases[0]!.relay.lost(leases[0]!, { isAtDot: true, isOurLimit: false });
  for (const lease of leases) await lease.relay.giveBack(lease);
  clock.advance(5_000);
  const trial = lent();
  expect(trial.relay.label).toBe("first.example:587");
  trial.relay.accepted(trial);
  expect(group.mayGoOn(trial)).toBe(true);
  expect(next()).toBe("second");
});

test("mail that somebody waits for may use the only relay while it is being tried, campaigns may not", async () => {
  const { clock, lent, next, fails } = relaysOf(["only"]);
  await fails(lent());
  clock.advance(5_000);
  expect([next(), next(), next("prompt"), next("awaited")]).toEqual(["only", null, "only", "only"]);
});

test("mail that a caller waits for tries a relay that is being tried before one that is held", async () => {
  const { lent, next, fails } = await firstIsBeingTried();
  await fails(lent());
  expect([next("awaited"), next()]).toEqual(["first", null]);
});

describe("a confirmation whose connection we cut, because it could not wait longer,", () => {
  /** So many confirmations are under way; in the middle, the relay accepts a campaign's message or not. */
  function underWay(count: number, isOtherAccepted: boolean) {
    const relays = relaysOf(["first", "second"], { maxConnections: 100 });
    const confirmations = Array.from({ length: count }, () => relays.lent("prompt"));
    const other = relays.lent();
    if (isOtherAccepted) other.relay.accepted(other);
    return { ...relays, confirmations };
  }
  const troublesOf = ({ group }: ReturnType<typeof relaysOf>) => group.troubles().map(({ relay }) => relay);

  test.each([
    ["at their dot", true, 5],
    ["before their dot", false, 25],
  ])("says nothing against a relay that accepted other mail meanwhile: %s", (_, isAtDot, count) => {
    const slow = underWay(count, true);
    for (const lease of slow.confirmations) lease.relay.lost(lease, { isAtDot, isOurLimit: true });
    expect(troublesOf(slow)).toEqual([]);
    const silent = underWay(count, false);
    for (const lease of silent.confirmations) lease.relay.lost(lease, { isAtDot, isOurLimit: true });
    expect(troublesOf(silent)).toEqual(["first.example:587"]);
    const closing = underWay(count, true);
    for (const lease of closing.confirmations) lease.relay.lost(lease, { isAtDot, isOurLimit: false });
    expect(troublesOf(closing)).toEqual(["first.example:587"]);
  });

  test("before it was greeted, is tried again on the next relay, and campaigns stay where they are", () => {
    const slow = underWay(1, true);
    const [lease] = slow.confirmations;
    const trouble = { kind: "down", stage: "CONNECT", detail: "cut", isOurLimit: true } as const;
    lease!.relay.inTrouble(lease!, trouble);
    expect([slow.next("prompt"), slow.next()]).toEqual(["second", "first"]);
    const silent = underWay(1, false);
    const [other] = silent.confirmations;
    other!.relay.inTrouble(other!, trouble);
    expect([silent.next("prompt"), silent.next()]).toEqual(["second", "second"]);
  });
});
