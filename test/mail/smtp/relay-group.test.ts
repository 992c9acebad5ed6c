/** Which of several relays the next message gets. Nothing is sent: the sessions are never opened. */
import { describe, expect, test } from "bun:test";
import { everything } from "#core/share.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { relayGroup } from "#mail/smtp/relay/relay-group.ts";
import type { Lease } from "#mail/smtp/relay/relay.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const ADA = "ada@shop.example.org";
const BOB = "bob@other.example.org";
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

function idleSession(): SmtpSession {
  const session = { usable: true, served: 0, endedAfter: null, pipelines: true, close: async () => {} };
  return Object.assign(session, { destroy: () => void (session.usable = false) }) as unknown as SmtpSession;
}

/** The relays `first.example`, `second.example`, and so on; each learns what the test tells it. */
function relaysOf(hosts: readonly string[], { maxConnections = 4, log = quiet } = {}) {
  const clock = manualClock();
  const urls = hosts.map((host) => `smtp://${host}.example?maxConnections=${maxConnections}`).join(" ");
  const group = relayGroup(unwrap(parseRelayUrls(urls)), clock, log, idleSession, everything);
  const lent = (urgency: Urgency = "bulk", sender = ADA): Lease | null => {
    const got = group.lease(urgency, sender);
    return "session" in got ? got : null;
  };
  /** Which relay the next message gets; it is under way from then on. */
  const next = (urgency?: Urgency, sender?: string) =>
    lent(urgency, sender)?.relay.label.split(".")[0] ?? null;
  const fails = async (lease: Lease): Promise<void> => {
    lease.relay.inTrouble(lease, { kind: "down", stage: "CONNECT", detail: "no greeting" });
    lease.session.destroy();
    await lease.relay.giveBack(lease);
  };
  return { clock, group, lent: (urgency?: Urgency, sender?: string) => lent(urgency, sender)!, next, fails };
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
  const loss = { isAtDot: true, isOurLimit: false, detail: "read ECONNRESET" };
  for (let lost = 0; lost < 5; lost++) leases[0]!.relay.lost(leases[0]!, loss);
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

test.each(["awaited", "prompt", "bulk"] as const)(
  "a login that is refused to %s mail is the relay's trouble, because the relay knows no sender yet",
  async (urgency) => {
    const { group, lent, next } = relaysOf(["only"]);
    const lease = lent(urgency);
    const detail = "535 5.7.8 Wrong password";
    lease.relay.inTrouble(lease, { kind: "config", stage: "AUTH", detail });
    lease.session.destroy();
    await lease.relay.giveBack(lease);
    expect(group.troubles()).toEqual([expect.objectContaining({ trouble: `config: ${detail}` })]);
    expect(next()).toBeNull();
  },
);

test("a message that relays lost goes to another one that works, and then to who lost it longest ago", async () => {
  const { group, lent, fails } = relaysOf(["first", "second", "third"], { maxConnections: 1 });
  const first = lent("awaited");
  // The first one works, and is busy: the next is for when it does not.
  expect(group.lease("awaited", ADA)).toEqual({ retryAt: null });
  const lostBy = [first.relay];
  const other = group.lease("prompt", ADA, lostBy);
  if (!("session" in other)) throw new Error("no other relay");
  expect(other.relay.label).toBe("second.example:587");
  // It waits for the second one's connection, although the first one has one.
  await first.relay.giveBack(first);
  expect(group.lease("prompt", ADA, lostBy)).toEqual({ retryAt: null });
  expect(group.lease("bulk", ADA, lostBy)).toEqual({ retryAt: null });
  // A campaign's other messages keep to the order.
  expect(group.lease("bulk", ADA)).toMatchObject({ relay: first.relay });
  await fails(other);
  const third = group.lease("prompt", ADA, lostBy);
  expect("session" in third && third.relay.label).toBe("third.example:587");
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
    const [cut, ended] = [true, false].map((isOurLimit) => ({ isAtDot, isOurLimit, detail: "no reply" }));
    const slow = underWay(count, true);
    for (const lease of slow.confirmations) lease.relay.lost(lease, cut!);
    expect(troublesOf(slow)).toEqual([]);
    const silent = underWay(count, false);
    for (const lease of silent.confirmations) lease.relay.lost(lease, cut!);
    expect(troublesOf(silent)).toEqual(["first.example:587"]);
    const closing = underWay(count, true);
    for (const lease of closing.confirmations) lease.relay.lost(lease, ended!);
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

describe("a relay that answers no campaign", () => {
  /** One campaign's message waits for the first relay, which has no other connection for campaigns. */
  function waiting() {
    const relays = relaysOf(["first", "second"], { maxConnections: 2 });
    const lease = relays.lent();
    lease.relay.asked(lease);
    return { ...relays, lease };
  }

  test("for a minute makes way for the next one, until it answers", async () => {
    const { clock, group, next, lease } = waiting();
    expect(group.lease("bulk", ADA)).toEqual({ retryAt: clock.now() + 60_000 });
    clock.advance(60_000);
    expect(group.troubles()).toEqual([
      { relay: "first.example:587", trouble: "silent: it has not answered for 60 seconds" },
    ]);
    const beside = group.lease("bulk", ADA) as Lease;
    expect(beside.relay.label).toBe("second.example:587");
    expect([next("awaited"), group.mayGoOn(beside)]).toEqual(["second", true]);
    lease.relay.ended(lease, true);
    lease.relay.accepted(lease);
    await lease.relay.giveBack(lease);
    expect([group.troubles(), group.mayGoOn(beside), next()]).toEqual([[], false, "first"]);
  });

  test.each([true, false])(
    "until two of its messages are given up is stopped: at their dot %p",
    (isAtDot) => {
      const { clock, group, lent } = relaysOf(["only"]);
      const leases = [lent(), lent()];
      for (const lease of leases) lease.relay.asked(lease);
      clock.advance(600_000);
      const troubles = leases.map((lease) => {
        lease.relay.ended(lease, false);
        lease.relay.lost(lease, { isAtDot, isOurLimit: false, detail: "no reply within 600 s" });
        return group.troubles().map(({ trouble }) => trouble.split(":")[0]);
      });
      expect(troubles).toEqual([["silent"], ["down"]]);
    },
  );

  test("and takes other mail meanwhile is in the log once, until it answers a campaign", async () => {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const { clock, group, lent } = relaysOf(["only"], {
      maxConnections: 2,
      log: { ...quiet, info: say, warn: say },
    });
    const lease = lent();
    lease.relay.asked(lease);
    clock.advance(60_000);
    for (let request = 0; request < 3; request++) {
      group.lease("bulk", ADA);
      const other = lent("awaited");
      other.relay.accepted(other);
      await other.relay.giveBack(other);
    }
    group.lease("bulk", ADA);
    expect(lines).toEqual(["relay silent"]);
    lease.relay.ended(lease, true);
    lease.relay.accepted(lease);
    expect(lines).toEqual(["relay silent", "relay up again"]);
  });

  test("about one message is not stopped for it", () => {
    const { clock, group, lent } = relaysOf(["only"]);
    const lease = lent();
    for (const limitMs of [300_000, 600_000]) {
      lease.relay.asked(lease);
      clock.advance(limitMs);
      lease.relay.ended(lease, false);
      lease.relay.lost(lease, { isAtDot: false, isOurLimit: false, detail: "no reply" });
    }
    expect(group.troubles()).toEqual([]);
  });

  test("while our own database keeps them waiting is not silent", () => {
    const { clock, group, lease } = waiting();
    lease.relay.ended(lease, true);
    clock.advance(600_000);
    expect([group.troubles(), group.lease("bulk", ADA)]).toEqual([[], { retryAt: null }]);
  });
});

describe("a sender that the relay refuses", () => {
  const refuses = async (lease: Lease): Promise<void> => {
    lease.relay.inTrouble(lease, { kind: "config", stage: "MAIL", detail: "553 5.1.8 Sender refused" });
    await lease.relay.giveBack(lease);
  };
  const accepts = async (lease: Lease): Promise<void> => {
    lease.relay.accepted(lease);
    await lease.relay.giveBack(lease);
  };
  /** The first relay has just accepted Ada's mail, and refuses Bob's. */
  async function bobIsRefused(hosts: readonly string[]) {
    const relays = relaysOf(hosts);
    await accepts(relays.lent("bulk", ADA));
    const before = relays.lent("bulk", BOB);
    await refuses(relays.lent("bulk", BOB));
    return { ...relays, before };
  }

  test("waits longer and longer, and then one message tries it; the others' mail goes on", async () => {
    const { clock, group, lent, before } = await bobIsRefused(["only"]);
    expect(group.mayGoOn(before)).toBe(false);
    await refuses(before);
    for (const pauseMs of [5_000, 15_000, 30_000, 60_000, 60_000]) {
      const until = clock.now() + pauseMs;
      expect([group.lease("bulk", BOB), group.lease("prompt", BOB)]).toEqual([
        { retryAt: until },
        { retryAt: until },
      ]);
      await accepts(lent("bulk", ADA));
      clock.advance(pauseMs);
      const trial = lent("bulk", BOB);
      expect(group.lease("bulk", BOB)).toEqual({ retryAt: null });
      await accepts(lent("bulk", ADA));
      await refuses(trial);
    }
    expect(group.stoppedBy(BOB)).toEqual({
      why: "only.example:587: config: 553 5.1.8 Sender refused",
      passes: false,
    });
    expect([group.stoppedBy(ADA), group.troubles(), group.isHeldFor(ADA)]).toEqual([null, [], false]);
    expect(group.isHeldFor(BOB)).toBe(true);
  });

  test("has all connections again as soon as one of its messages is accepted", async () => {
    const { clock, group, lent, next, before } = await bobIsRefused(["only"]);
    // It was on its way before the pause.
    await accepts(before);
    expect(next("bulk", BOB)).toBeNull();
    clock.advance(5_000);
    await accepts(lent("bulk", BOB));
    expect([next("bulk", BOB), next("bulk", BOB)]).toEqual(["only", "only"]);
    expect(group.stoppedBy(BOB)).toBeNull();
  });

  test("uses the next relay, and is tried on the first after each pause; the others stay on the first", async () => {
    const { clock, group, lent, next } = await bobIsRefused(["first", "second"]);
    const beside = lent("bulk", BOB);
    expect([beside.relay.label, next("bulk", ADA)]).toEqual(["second.example:587", "first"]);
    expect([group.mayGoOn(beside), group.stoppedBy(BOB)]).toEqual([true, null]);
    clock.advance(5_000);
    expect(group.mayGoOn(beside)).toBe(false);
    expect([next("bulk", BOB), next("bulk", BOB)]).toEqual(["first", "second"]);
  });

  test("shows that the relay refuses everybody if the others are refused too", async () => {
    const { group, lent, next } = await bobIsRefused(["only"]);
    await refuses(lent("bulk", ADA));
    expect(group.troubles()).toHaveLength(1);
    expect(next("bulk", ADA)).toBeNull();
  });

  test.each([
    ["nobody else's mail was accepted for a minute", 60_001],
    ["only its own mail was accepted", 0],
  ])("holds the relay where %s", async (_, waitMs) => {
    const { clock, group, lent, next } = relaysOf(["only"]);
    await accepts(lent("bulk", waitMs === 0 ? BOB : ADA));
    clock.advance(waitMs);
    await refuses(lent("bulk", BOB));
    expect([next("bulk", ADA), group.troubles().length]).toEqual([null, 1]);
  });

  test("in a request is refused to its caller alone", async () => {
    const { lent, next } = relaysOf(["only"]);
    await accepts(lent("bulk", ADA));
    await refuses(lent("awaited", BOB));
    expect([next("bulk", BOB), next("bulk", ADA)]).toEqual(["only", "only"]);
  });
});
