/** A server whose recipients are in several domains, and whose clock is set by hand. */
import { expect } from "bun:test";
import type { Dns } from "#doctor/dns/dns.ts";
import { manualClock, type ManualClock } from "../common/manual-clock.ts";
import { addressesMailed, numberOf, startSending, type SendingApi } from "./sending.ts";
import { runUntil } from "./sending-state.ts";
import type { Script } from "./smtp-script.ts";

export const people = (domain: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `reader-${n}@${domain}`);

/** How many messages the relay took for a domain. */
export const sentTo = (api: SendingApi, domain: string): number =>
  api.relay.accepted.filter(({ rcptTo }) => rcptTo[0]?.endsWith(`@${domain}`)).length;

/** Recorded as well: then nothing is running that a jump of the clock would interrupt. */
export const recorded = (api: SendingApi): number =>
  numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'sent'");

export function mailedOnce(api: SendingApi): void {
  const mailed = addressesMailed(api);
  expect(new Set(mailed).size).toBe(mailed.length);
}

const missing = () => Promise.reject(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }));
const NO_DNS: Dns = { ns: missing, mx: missing, addresses: missing, txt: missing };

export async function startLimited(domainLimits: object | null, script: Script = {}, connections = 10) {
  const clock = manualClock();
  const api = await startSending(script, { clock, connections, dns: NO_DNS });
  const set = await api.call("PATCH", "/settings", { domainLimits });
  expect([set.status, set.body.data.domainLimits]).toEqual([200, domainLimits]);
  return { api, clock };
}

/** Moves the clock this far, and two more seconds in which the sender looks for work. */
export async function wait(clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms);
  const at = clock.now();
  await runUntil(clock, () => clock.now() > at + 2_100);
}
