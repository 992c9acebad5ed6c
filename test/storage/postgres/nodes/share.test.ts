import { expect, test } from "bun:test";
import { domainLanes } from "#deliveries/domains/domain-lanes.ts";
import { minuteOf } from "#deliveries/domains/hour-count.ts";
import { relayGroup } from "#mail/smtp/relay/relay-group.ts";
import type { NewSession } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { SILENT_LOG } from "../../../support/common/silent-log.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";
import { relayAt } from "../../../support/sending/relay.ts";

const clock = manualClock();
const newSession: NewSession = (relay) => smtpSession(relay, clock);
const among = (nodes: number, older: number) => {
  const own = ownNode(clock, { name: "test", version: "0" });
  own.met({ nodes, older });
  return own;
};

test("nodes have the whole together, and the oldest the rest", () => {
  for (const whole of [0, 1, 2, 3, 7, 100])
    for (const nodes of [1, 2, 3, 8]) {
      const parts = Array.from({ length: nodes }, (_, older) => among(nodes, older).share(whole));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
      expect(parts[0]).toBe(Math.max(...parts));
    }
});

test("a relay lends a node its part of the connections, and follows when others come and go", async () => {
  const own = among(2, 1);
  const relays = relayGroup(
    [relayAt("smtp://127.0.0.1:1?maxConnections=5")],
    clock,
    SILENT_LOG,
    newSession,
    own.share,
  );
  const lend = () => relays.lease("prompt", "ada@shop.example.org");
  const first = lend();
  expect("session" in first).toBe(true);
  expect("session" in lend()).toBe(true);
  expect("session" in lend()).toBe(false);
  own.met({ nodes: 1, older: 0 });
  expect("session" in lend()).toBe(true);
  own.met({ nodes: 9, older: 3 });
  expect("session" in lend()).toBe(false);
  relays.close();
});

test("a node with no part of a relay has one connection all the same", () => {
  const relays = relayGroup(
    [relayAt("smtp://127.0.0.1:1?maxConnections=2")],
    clock,
    SILENT_LOG,
    newSession,
    among(9, 3).share,
  );
  expect("session" in relays.lease("bulk", "ada@shop.example.org")).toBe(true);
  expect("session" in relays.lease("bulk", "ada@shop.example.org")).toBe(false);
  relays.close();
});

test("of a domain's limit a node has its part, and what others sent counts when they are gone", async () => {
  const own = among(2, 1);
  const domains = ["gmail.com"];
  const settings = { domainLimits: [{ domains, perHour: 10, connections: 1 }] } as unknown as Settings;
  let sentByAll = 0;
  const lanes = domainLanes({
    workspaces: { settings: async () => settings },
    ledger: { domainSends: async () => [{ at: minuteOf(clock.now()), n: sentByAll }] },
    clock,
    share: own.share,
  });
  const isOpen = async () => (await lanes.of("ws")).of("gmail.com")!.opening(clock.now()).isOpen;
  expect((await lanes.of("ws")).of("gmail.com")!.limit).toEqual({ domains, perHour: 5, connections: 1 });
  expect(await isOpen()).toBe(true);
  sentByAll = 10;
  own.met({ nodes: 1, older: 0 });
  expect(await isOpen()).toBe(false);
});

test("a node whose part of an hour's limit would be nothing has one message: its mail is not held for ever", async () => {
  const own = among(3, 2);
  const settings = {
    domainLimits: [{ domains: ["gmail.com"], perHour: 2, connections: null }],
  } as unknown as Settings;
  const lanes = domainLanes({
    workspaces: { settings: async () => settings },
    ledger: { domainSends: async () => [] },
    clock,
    share: own.share,
  });
  const lane = (await lanes.of("ws")).of("gmail.com")!;
  expect(lane.limit?.perHour).toBe(1);
  expect(lane.opening(clock.now()).isOpen).toBe(true);
  lane.counted(clock.now());
  expect(lane.opening(clock.now())).toMatchObject({ isOpen: false, until: expect.any(Number) });
});
