/** A relay whose host name has several addresses, of which some are dead. */
import { dlopen, ptr } from "bun:ffi";
import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { dnsCache } from "nodemailer/lib/shared";
import { systemClock } from "#core/time/clock.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { limitsOf, relayAt } from "../../support/sending/relay.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../../support/sending/scripted-smtp.ts";

const CONNECT_MS = 6_000;
const HOST = "relay.example.test";
const { symbols: libc } = dlopen("libc.so.6", {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  listen: { args: ["i32", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
});

let relay: ScriptedSmtp;
const fillers: Socket[] = [];
const silent: number[] = [];
afterEach(() => {
  dnsCache.delete(HOST);
  for (const filler of fillers.splice(0)) filler.destroy();
  for (const socket of silent.splice(0)) libc.close(socket);
  relay.stop();
});

/** Nobody accepts at this address, and its queue is full: Linux answers no further connection. */
async function silence(address: string, port: number): Promise<void> {
  const socket = libc.socket(2, 1, 0);
  silent.push(socket);
  const at = new Uint8Array(16);
  const view = new DataView(at.buffer);
  view.setUint16(0, 2, true);
  view.setUint16(2, port);
  at.set(address.split(".").map(Number), 4);
  expect([libc.bind(socket, ptr(at), at.length), libc.listen(socket, 0)]).toEqual([0, 0]);
  const filler = connect(port, address);
  fillers.push(filler);
  await new Promise((resolve) => filler.once("connect", resolve));
}

/** The order is left to chance, so several sessions are opened: in most of them a dead address comes first. */
async function openings(addresses: readonly string[], count: number): Promise<unknown[]> {
  dnsCache.set(HOST, { value: { addresses: [...addresses] }, expires: Date.now() + 600_000 });
  const address = { ...relayAt(relay.url), host: HOST };
  const limits = { ...limitsOf(20_000), connectMs: CONNECT_MS };
  const opened = Array.from({ length: count }, async () => {
    const session = smtpSession(address, systemClock, limits);
    const failure = await session.open();
    session.destroy();
    return failure;
  });
  return await Promise.all(opened);
}

test("two that do not answer: the third is used in time", async () => {
  relay = scriptedSmtp({});
  for (const address of ["127.0.0.12", "127.0.0.13"]) await silence(address, relay.port);
  expect(await openings(["127.0.0.12", "127.0.0.13", "127.0.0.1"], 12)).toEqual(Array(12).fill(null));
});

test("two that refuse: the third is used", async () => {
  relay = scriptedSmtp({});
  expect(await openings(["127.0.0.12", "127.0.0.13", "127.0.0.1"], 12)).toEqual(Array(12).fill(null));
});

test("none that answers: the failure comes when the time is over", async () => {
  relay = scriptedSmtp({});
  const dead = ["127.0.0.12", "127.0.0.13"];
  for (const address of dead) await silence(address, relay.port);
  expect(await openings(dead, 1)).toEqual([{ stage: "CONNECT", reply: null, detail: expect.any(String) }]);
});

test("a greeting may take longer than the connection", async () => {
  relay = scriptedSmtp({ on: { CONNECT: { reply: "220 At last", and: "go on", after: Bun.sleep(1_500) } } });
  const limits = { ...limitsOf(20_000), connectMs: 500 };
  const session = smtpSession(relayAt(relay.url), systemClock, limits);
  expect(await session.open()).toBeNull();
  session.destroy();
});

test("when all refuse, it says why", async () => {
  relay = scriptedSmtp({});
  const failures = await openings(["127.0.0.9", "127.0.0.10"], 1);
  expect(failures).toEqual([
    expect.objectContaining({ detail: expect.stringMatching(/ECONNREFUSED 127\.0\.0\.\d/) }),
  ]);
});
