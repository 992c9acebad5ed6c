import { afterEach, describe, expect, test } from "bun:test";
import type { Clock } from "#core/time/clock.ts";
import { systemClock } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { senderThreads } from "#mail/smtp/threads/sender-threads.ts";
import { breakingThread } from "../../support/sending/breaking-thread.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { atTheDot, relayAt, toAda } from "../../support/sending/relay.ts";
import {
  drop,
  scriptedSmtp,
  stall,
  type Behaviour,
  type ScriptedOptions,
  type ScriptedSmtp,
} from "../../support/sending/scripted-smtp.ts";

const servers: ScriptedSmtp[] = [];
const workers: Worker[] = [];
const relay = (options: ScriptedOptions = {}): ScriptedSmtp => {
  const server = scriptedSmtp(options);
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
  for (const worker of workers.splice(0)) worker.terminate();
});

/** Threads, how many were started, and what was logged of them. */
function threads(most = 1, clock: Clock = systemClock) {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
  const started: Worker[] = [];
  const startThread = (): Worker => {
    const worker = breakingThread();
    workers.push(worker);
    started.push(worker);
    return worker;
  };
  return { newSession: senderThreads(most, { startThread, clock, log }), started, lines };
}

type Threads = ReturnType<typeof threads>;

async function opened({ newSession }: Threads, { url }: ScriptedSmtp): Promise<SmtpSession> {
  const session = newSession(relayAt(url));
  expect(await session.open()).toBeNull();
  return session;
}

const message = { bytes: "Subject: Hello\r\n\r\n.\r\n..\r\nAda, hello.\r\n" };
const second = { from: toAda.from, to: "grace@example.org" };
const to = (localPart: string) => ({ from: toAda.from, to: `${localPart}@example.com` });

describe("a session in a thread", () => {
  test("delivers one message after the other, as they were given", async () => {
    const server = relay();
    const session = await opened(threads(), server);
    for (const bytes of [
      message.bytes,
      Buffer.from(message.bytes),
      `${message.bytes}${"long\r\n".repeat(50_000)}`,
    ]) {
      const offer = await session.offer(toAda, { bytes });
      expect(await (offer.ok && offer.finish())).toMatchObject({ reply: { code: 250 } });
      expect(server.accepted.at(-1)?.raw).toBe(String(bytes));
    }
    expect([server.accepted.length, session.served, session.usable]).toEqual([3, 3, true]);
    await session.close();
    expect(session.usable).toBe(false);
    await eventually(() => server.open === 0);
  });

  test("keeps the dot back until it is ordered, and never writes it after a cut", async () => {
    const server = relay({ wire: true });
    const session = await opened(threads(), server);
    const offer = await session.offer(toAda, message);
    await eventually(() => server.wire(1).endsWith("Ada, hello.\r\n"));
    session.destroy();
    expect(await (offer.ok && offer.finish())).toMatchObject({ unsent: { reply: null } });
    await eventually(() => server.open === 0);
    expect(server.wire(1)).toEndWith("Ada, hello.\r\n");
    expect(server.accepted).toEqual([]);
  });

  test("sends the next message together with the last one's dot", async () => {
    const server = relay({ extensions: ["PIPELINING", "8BITMIME"], wire: true });
    const session = await opened(threads(), server);
    expect(session.pipelines).toBe(true);
    const first = (await atTheDot(session, message.bytes)).finish();
    const offer = await session.offer(second, { bytes: "Subject: Second\r\n\r\nGrace, hello.\r\n" });
    expect(await first).toMatchObject({ reply: { code: 250 } });
    expect(await (offer.ok && offer.finish())).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted.map(({ rcptTo }) => rcptTo)).toEqual([[toAda.to], [second.to]]);
    expect(server.wire(1)).toContain("hello.\r\n.\r\nMAIL FROM:");
  });

  test.each([
    ["CONNECT", "554 5.3.2 Closed", { stage: "CONNECT", reply: { code: 554 } }],
    ["EHLO", drop, { stage: "CONNECT", reply: null }],
  ] as ["CONNECT" | "EHLO", Behaviour, object][])(
    "says why it does not open: %s",
    async (stage, behaviour, failure) => {
      const session = threads().newSession(relayAt(relay({ on: { [stage]: behaviour } }).url));
      const found = await session.open();
      expect(found).toMatchObject(failure);
      expect([found?.isOurs, session.usable]).toEqual([undefined, false]);
    },
  );

  test.each([
    ["MAIL", "550 5.7.1 No", { stage: "MAIL", reply: { code: 550 } }, true],
    ["RCPT", "450 4.2.1 Later", { stage: "RCPT", reply: { code: 450 } }, true],
    ["DATA", drop, { stage: "DATA", reply: null }, false],
  ] as ["MAIL" | "RCPT" | "DATA", Behaviour, object, boolean][])(
    "says what the relay answers before the dot: %s %j",
    async (stage, behaviour, failure, goesOn) => {
      const server = relay({ on: { [stage]: behaviour } });
      const session = await opened(threads(), server);
      const offer = await session.offer(toAda, message);
      expect(offer).toMatchObject({ ok: false, failure });
      expect(offer.ok ? null : offer.failure.isOurs).toBeUndefined();
      await eventually(() => session.usable === goesOn);
    },
  );

  test.each([
    ["452 4.3.1 Full", { reply: { code: 452 } }],
    [drop, { lost: expect.any(String) }],
  ] as [Behaviour, object][])("says how the dot ended: %j", async (behaviour, outcome) => {
    const session = await opened(threads(), relay({ on: { DOT: behaviour } }));
    const ended = await (await atTheDot(session, message.bytes)).finish();
    expect(ended).toMatchObject(outcome);
    expect(ended).not.toHaveProperty("isOurs");
  });

  test("knows that the relay ended it between two messages, and after how many", async () => {
    const server = relay({ on: { DOT: { reply: "250 2.0.0 Queued", and: "drop" } } });
    const session = await opened(threads(), server);
    await (await atTheDot(session, message.bytes)).finish();
    await eventually(() => !session.usable);
    expect([session.served, session.endedAfter]).toEqual([1, 1]);
  });
});

describe("a thread that ends", () => {
  test.each(["exit", "throw"])(
    "with messages that were not at their dot: they are owed (%s)",
    async (how) => {
      const server = relay();
      const started = threads();
      const [session, other] = [await opened(started, server), await opened(started, server)];
      const held = await atTheDot(other, message.bytes);
      const offer = await session.offer(to(how), message);
      expect(offer).toMatchObject({ ok: false, failure: { reply: null, isOurs: true } });
      expect(await held.finish()).toMatchObject({ unsent: { reply: null, isOurs: true } });
      expect([session.usable, other.usable]).toEqual([false, false]);
      await eventually(() => server.open === 0);
      expect(server.accepted).toEqual([]);
      expect(started.lines.filter((line) => line.includes("a sender thread ended"))).toHaveLength(1);
    },
  );

  test("before a dot was written, after it was ordered: nobody knows, and the relay has nothing", async () => {
    const server = relay();
    const session = await opened(threads(), server);
    const offer = await session.offer(to("exit-before-dot"), message);
    expect(await (offer.ok && offer.finish())).toMatchObject({ lost: expect.any(String), isOurs: true });
    await eventually(() => server.open === 0);
    expect(server.accepted).toEqual([]);
  });

  test("after a dot was written: nobody knows, and the relay has it once", async () => {
    const server = relay({ on: { DOT: { and: "stall", kept: true } } });
    const session = await opened(threads(), server);
    const offer = await session.offer(to("exit-after-dot"), message);
    expect(await (offer.ok && offer.finish())).toMatchObject({ lost: expect.any(String), isOurs: true });
    await eventually(() => server.open === 0);
    expect(server.accepted).toHaveLength(1);
  });

  test("takes only its own sessions along, and the next session gets a new one", async () => {
    const server = relay();
    const started = threads(2);
    const [broken, whole] = [await opened(started, server), await opened(started, server)];
    expect(started.started).toHaveLength(2);
    await broken.offer(to("exit"), message);
    expect(await (await atTheDot(whole, message.bytes)).finish()).toMatchObject({ reply: { code: 250 } });
    const next = await opened(started, server);
    expect(await (await atTheDot(next, message.bytes)).finish()).toMatchObject({ reply: { code: 250 } });
    expect(started.started).toHaveLength(3);
  });

  test("three times: then sessions are held on the main thread", async () => {
    const server = relay();
    const started = threads();
    for (let time = 0; time < 3; time++) await (await opened(started, server)).offer(to("exit"), message);
    const session = await opened(started, server);
    expect(await session.offer(to("exit"), message)).toMatchObject({ ok: true });
    expect(started.started).toHaveLength(3);
    expect(started.lines.at(-1)).toContain("mail goes out from the main thread");
  });
});

describe("a thread is watched", () => {
  /** Looks at the thread as if a minute and more had passed, and waits for its sign each time. */
  async function looks(clock: ReturnType<typeof manualClock>, worker: Worker, times: number): Promise<void> {
    let signs = 0;
    worker.addEventListener("message", () => void signs++);
    for (let look = 1; look <= times; look++) {
      clock.advance(5_000);
      await eventually(() => signs >= look);
    }
  }

  test("and goes on where only the relay is silent", async () => {
    const clock = manualClock();
    const server = relay({ on: { DOT: stall } });
    const started = threads(1, clock);
    const session = await opened(started, server);
    let isOver = false;
    const outcome = (await atTheDot(session, message.bytes)).finish().then((end) => {
      isOver = true;
      return end;
    });
    await looks(clock, started.started[0]!, 20);
    expect([isOver, session.usable]).toEqual([false, true]);
    session.destroy();
    expect(await outcome).toEqual({ lost: "the session was cut" });
  });

  test("and ended where it hangs: what it was told to end is uncertain, the rest is owed", async () => {
    const clock = manualClock();
    const server = relay({ on: { DOT: stall }, wire: true });
    const started = threads(1, clock);
    const [first, hanging] = [await opened(started, server), await opened(started, server)];
    const outcome = (await atTheDot(first, message.bytes)).finish();
    await eventually(() => server.wire(1).endsWith("\r\n.\r\n"));
    const offer = hanging.offer(to("hang"), message);
    await eventually(() => {
      clock.advance(5_000);
      return started.lines.length > 0;
    });
    expect(await outcome).toMatchObject({ lost: expect.any(String), isOurs: true });
    expect(await offer).toMatchObject({ ok: false, failure: { isOurs: true } });
    expect(started.lines.join()).toContain("it hangs");
  });

  test("and ended when it had no session for some seconds", async () => {
    const clock = manualClock();
    const server = relay();
    const started = threads(1, clock);
    (await opened(started, server)).destroy();
    let isClosed = false;
    started.started[0]!.addEventListener("close", () => void (isClosed = true));
    clock.advance(5_000);
    await eventually(() => isClosed);
    expect(started.lines).toEqual([]);
    await opened(started, server);
    expect(started.started).toHaveLength(2);
  });
});
