/** Requests whose time is over while a message stands at its dot. What comes back from there is never sent again. */
import { afterEach, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import type { Script } from "../../support/sending/scripted-smtp.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import { answered, runUntil, usageOf } from "../../support/sending/sending-state.ts";
import { startSending, type LedgerRow, type SendingApi } from "../../support/sending/sending.ts";
import { lockWrites, refuseWrites } from "../../support/server/refused-writes.ts";
import { rowsFrom } from "../../support/server/services.ts";
import { acceptedBy, outcomes, post } from "../../support/server/transactional.ts";

let api: SendingApi;
const clock = manualClock();
afterEach(() => api.stop({ graceMs: 0 }));

const start = async (on: Script) => (api = await startSending(on, { clock }));
const after = (ms: number) => new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
const pass = async (ms: number): Promise<void> => {
  const until = clock.now() + ms;
  await runUntil(clock, () => clock.now() >= until);
};
/** As `answered`, but the clock goes slowly: half a second of it is enough for an answer to arrive, also on a busy machine. */
const answeredSlowly = async <T>(call: Promise<T>): Promise<T> => {
  const wait = { isOver: false };
  void call.catch(() => undefined).finally(() => (wait.isOver = true));
  while (!wait.isOver) {
    clock.advance(1);
    await Bun.sleep(5);
  }
  return call;
};
const states = () =>
  rowsFrom<LedgerRow>(api, "SELECT * FROM deliveries ORDER BY seq").map(({ state, reason }) => [
    state,
    reason,
  ]);
const isFinished = () => phases().every((phase) => phase === "finished");
const phases = () => rowsFrom<{ phase: string }>(api, "SELECT phase FROM mailings").map(({ phase }) => phase);

test("after a 502 nothing goes out, so the request may be sent again", async () => {
  await start({
    DOT: ({ message }) =>
      message === 1 ? { reply: "421 4.3.2 Shutting down", and: "drop", after: after(14_500) } : undefined,
    // A second attempt is on its way when the time at the dot is over.
    RCPT: ({ message }) =>
      message === 2 ? { reply: "250 2.1.5 Ok", and: "go on", after: after(5_700) } : undefined,
  });
  const answer = await answered(clock, post(api, {}, "key-1"));
  expect([answer.status, answer.body.error.message]).toEqual([
    502,
    "The relay did not accept the message (RELAY_UNAVAILABLE: 421 4.3.2 Shutting down). Nothing was delivered: the request may be sent again.",
  ]);
  expect([states(), usageOf(api)]).toEqual([[["failed", "RELAY_UNAVAILABLE"]], {}]);
  await runUntil(clock, isFinished);
  await pass(10_000);
  expect(acceptedBy(api)).toEqual({});
  expect(outcomes(await answered(clock, post(api, {}, "key-1")))).toEqual(["ada@example.com SENT"]);
  expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
});

test("a message that comes back after the answer has failed then, and is given back", async () => {
  const began = clock.now();
  await start({
    RCPT: () => (clock.now() - began < 6_000 ? "450 4.7.1 Not yet" : undefined),
    DOT: () => ({ reply: "421 4.7.0 Too busy", and: "go on", after: after(14_500) }),
  });
  const posted = post(api, {}, "key-1");
  await runUntil(clock, () => phases()[0] === "stopped");
  // The answer comes ten seconds after that, and the relay's half a second later.
  await pass(9_800);
  const answer = await answeredSlowly(posted);
  expect(outcomes(answer)).toEqual(["ada@example.com UNCERTAIN NO_REPLY_YET"]);
  expect([states(), Object.values(usageOf(api))]).toEqual([[["dot", null]], [1]]);
  await runUntil(clock, isFinished);
  // Its connection may have been given up before the end was written.
  const reason = expect.stringMatching(/^(RELAY_UNAVAILABLE|CONNECTION_LOST)$/);
  expect([states(), usageOf(api)]).toEqual([[["failed", reason]], {}]);
  await pass(10_000);
  expect((await answered(clock, post(api, {}, "key-1"))).body).toEqual(answer.body);
  expect(acceptedBy(api)).toEqual({});
});

test("of several addresses, each has what became of it, and a repetition sends nothing", async () => {
  await start({
    DOT: ({ rcptTo }) => {
      if (rcptTo.includes("silent@example.com")) return stall;
      if (rcptTo.includes("back@example.com"))
        return { reply: "421 4.3.2 Shutting down", and: "drop", after: after(11_000) };
      return undefined;
    },
  });
  const request = { to: ["ada@example.com", "back@example.com", "silent@example.com"] };
  const answer = await answered(clock, post(api, request, "key-1"));
  expect(outcomes(answer)).toEqual([
    "ada@example.com SENT",
    "back@example.com FAILED RELAY_UNAVAILABLE",
    "silent@example.com UNCERTAIN CONNECTION_LOST",
  ]);
  expect(Object.values(usageOf(api))).toEqual([2]);
  await pass(10_000);
  expect((await answered(clock, post(api, request, "key-1"))).body).toEqual(answer.body);
  expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
  expect(api.relay.transactions).toBe(3);
});

test("a restart while a message stands at its dot leaves it uncertain, and its request is over", async () => {
  await start({ DOT: stall });
  const answer = post(api, {}, "key-1").catch(() => null);
  await runUntil(clock, () => phases()[0] === "stopped");
  api = await api.restart();
  await answer;
  await runUntil(clock, isFinished);
  expect(states()).toEqual([["uncertain", "SERVER_STOPPED"]]);
  expect(Object.values(usageOf(api))).toEqual([1]);
  expect((await answered(clock, post(api, {}, "key-1"))).status).toBe(409);
});

test("an end that cannot be written is written later: nothing stays queued, and nothing goes out", async () => {
  const full = Promise.withResolvers<void>();
  let isAtRcpt = false;
  await start({
    RCPT() {
      isAtRcpt = true;
      return { reply: "250 2.1.5 Ok", and: "go on", after: full.promise };
    },
  });
  const posted = post(api, {}, "key-1");
  await runUntil(clock, () => isAtRcpt);
  // Meanwhile the clock stands still. With PostgreSQL it takes long, and the attempt would be over before it.
  const writeAgain = await refuseWrites(api);
  full.resolve();
  const answer = await answered(clock, posted);
  expect([answer.status, states()]).toEqual([500, [["queued", null]]]);
  await pass(5_000);
  expect(states()).toEqual([["queued", null]]);
  await writeAgain();
  await runUntil(clock, isFinished);
  expect([states(), usageOf(api)]).toEqual([[["failed", "RELAY_UNAVAILABLE"]], {}]);
  await pass(10_000);
  expect(acceptedBy(api)).toEqual({});
  // Its key is free then, as after any answer that says the same: nobody would get this mail by it for a day.
  expect(outcomes(await answered(clock, post(api, {}, "key-1")))).toEqual(["ada@example.com SENT"]);
  expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
});

test.each([
  ["the disk is full", refuseWrites],
  ["something keeps the database locked", lockWrites],
])(
  "the key of an end that is written later, because %s, tells what went out, and sends nothing again",
  async (_, trouble) => {
    const full = Promise.withResolvers<void>();
    let isAtDot = false;
    await start({
      DOT() {
        isAtDot = true;
        return { reply: "250 2.0.0 Ok", and: "go on", after: full.promise };
      },
    });
    const posted = post(api, {}, "key-1");
    await runUntil(clock, () => isAtDot);
    const writeAgain = await trouble(api);
    full.resolve();
    expect((await answered(clock, posted)).status).toBe(500);
    expect((await answered(clock, post(api, {}, "key-1"))).status).toBe(409);
    await writeAgain();
    await runUntil(clock, isFinished);
    await pass(5_000);
    expect(outcomes(await answered(clock, post(api, {}, "key-1")))).toEqual(["ada@example.com SENT"]);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
  },
);
