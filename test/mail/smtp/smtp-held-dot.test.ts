import { afterEach, describe, expect, test } from "bun:test";
import type { Clock } from "#core/time/clock.ts";
import { yieldTurns } from "#core/time/event-loop.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { stageLimits } from "#mail/smtp/session/stage-limits.ts";
import { dice } from "../../support/common/dice.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { atTheDot, openSession, relayAt, toAda } from "../../support/sending/relay.ts";
import {
  scriptedSmtp,
  type ScriptedOptions,
  type ScriptedSmtp,
  stall,
  type Behaviour,
} from "../../support/sending/scripted-smtp.ts";

const servers: ScriptedSmtp[] = [];
const relay = (options: ScriptedOptions = {}): ScriptedSmtp => {
  const server = scriptedSmtp({ wire: true, ...options });
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

/** What an SMTP server must read out of a text: CRLF line ends, the last one too. */
const asLines = (text: string): string => {
  const lines = text.replace(/\r\n|\r|\n/g, "\r\n");
  return lines.endsWith("\r\n") ? lines : `${lines}\r\n`;
};
/** The same as it must look on the wire before the dot: stuffed, and no line end added yet. */
const onTheWire = (text: string): string => text.replace(/\r\n|\n|\r(?=[^])/g, "\r\n").replace(/^\./gm, "..");

const bodies = [
  "Hello",
  "Hello\r\n",
  "Hello\n",
  "Hello\r",
  ".",
  "..",
  ".\r\n",
  "\r\n.\r\n",
  "\n.\n",
  "\r.\r",
  "a\r\n.\r\nQUIT\r\nb",
  "a\n.\nb",
  "a\r.\rb",
  "a\r\n.",
  "a\r\n.\r",
  "a\n.\r\nb\r\n.\nc",
  "\r\n",
  "\r\n\r\n.",
  ".\r\n.\r\n.\r\n",
  "a.\r\n.b\r\n..c\r\n...\r\n",
];

describe("the memory of a message", () => {
  const endOf = async (behaviour: Behaviour | null) => {
    const server = relay(behaviour === null ? {} : { on: { DOT: behaviour } });
    const session = await openSession(server.url);
    let released = 0;
    const message = { bytes: "Subject: Hello\r\n\r\nHello\r\n", release: () => void released++ };
    const offer = await session.offer(toAda, message);
    const releasedAtDot = released;
    const outcome = offer.ok ? await offer.finish() : null;
    session.destroy();
    return { releasedAtDot, outcome, released };
  };

  test("is given back when the relay has accepted it, and not before", async () => {
    expect(await endOf(null)).toMatchObject({
      releasedAtDot: 0,
      outcome: { reply: { code: 250 } },
      released: 1,
    });
  });

  test.each([
    ["refuses", "550 5.7.1 No", { reply: { code: 550 } }],
    ["says nothing and goes", { and: "drop" }, { lost: expect.any(String) }],
  ] as [string, Behaviour, object][])(
    "is not given back where the relay %s: it may still be read",
    async (_, behaviour, outcome) => {
      expect(await endOf(behaviour)).toMatchObject({ outcome, released: 0 });
    },
  );
});

describe("while the dot is held", () => {
  test.each(bodies)("nothing of it is on the wire: %j", async (body) => {
    const server = relay();
    const session = await openSession(server.url);
    const offer = await atTheDot(session, body);
    const expected = onTheWire(body);
    const data = (): string => server.wire(1).split("DATA\r\n")[1] ?? "";
    await eventually(() => data().length >= expected.length);
    // Two more turns of the loop, in which a dot would show.
    await yieldTurns(2);
    expect(data()).toBe(expected);
    expect(server.accepted).toEqual([]);

    expect(await offer.finish()).toMatchObject({ reply: { code: 250 } });
    expect(data()).toEndWith("\r\n.\r\n");
    expect(server.accepted.map(({ raw }) => raw)).toEqual([asLines(body)]);
    void session.close();
  });

  test("of a message that was checked the dots are doubled all the same", async () => {
    const server = relay();
    const session = await openSession(server.url);
    const checked = "Subject: Dots\r\n\r\n.\r\n..\r\n.a\r\n";
    const offer = await session.offer(toAda, { bytes: checked });
    expect(offer.ok && (await offer.finish())).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted.map(({ raw }) => raw)).toEqual([checked]);
    void session.close();
  });

  test("any mixture of dots and line ends arrives as one message, line for line", async () => {
    const server = relay();
    const session = await openSession(server.url);
    const pieces = [".", ".", "\r\n", "\n", "\r", "a", "\r\n.\r\n", "MAIL FROM:<eve@example.com>\r\n"];
    const chance = dice(1);
    const sent = Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + chance.roll(12) }, () => chance.pick(pieces)).join(""),
    );
    for (const body of sent)
      expect(await (await atTheDot(session, body)).finish()).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted.map(({ raw }) => raw)).toEqual(sent.map(asLines));
    expect(server.transactions).toBe(300);
    void session.close();
  });

  test("a dot at every edge of a chunk survives", async () => {
    const server = relay();
    const session = await openSession(server.url);
    for (const edge of [16_384, 65_536, 131_072]) {
      for (const shift of [-3, -2, -1, 0, 1]) {
        const body = `${"x".repeat(edge + shift)}\r\n.\r\n${"y".repeat(edge)}\r\n.`;
        expect(await (await atTheDot(session, body)).finish()).toMatchObject({ reply: { code: 250 } });
        expect(server.accepted.at(-1)?.raw === asLines(body)).toBe(true);
      }
    }
    const bytes = new Uint8Array(1_000_000).map((_, i) => (i % 70 === 68 ? 13 : i % 70 === 69 ? 10 : 46));
    await (await atTheDot(session, bytes)).finish();
    expect(server.accepted.at(-1)?.raw === asLines(Buffer.from(bytes).toString("latin1"))).toBe(true);
    void session.close();
  });

  test("destroy makes the relay discard the message, and says no QUIT", async () => {
    const server = relay();
    const session = await openSession(server.url);
    const offer = await atTheDot(session, "Subject: Never\r\n\r\nNever\r\n");
    session.destroy();
    expect(session.usable).toBe(false);
    expect(await offer.finish()).toMatchObject({ unsent: { stage: "DATA", reply: null } });
    await eventually(() => server.open === 0);
    expect(server.accepted).toEqual([]);
    expect(server.wire(1)).toEndWith("Never\r\n");
  });

  test("close is destroy there", async () => {
    const server = relay();
    const session = await openSession(server.url);
    await atTheDot(session, "Subject: Never\r\n\r\nNever");
    void session.close();
    await eventually(() => server.open === 0);
    expect(server.wire(1)).toEndWith("Never");
    expect(await session.offer(toAda, "Subject: Next\r\n\r\n")).toMatchObject({
      ok: false,
      failure: { stage: "MAIL", reply: null },
    });
    expect(server.accepted).toEqual([]);
  });

  test.each([
    ["drop", { and: "drop" }, null],
    ["reset", { and: "reset" }, null],
    ["421", { reply: "421 4.4.2 You take too long", and: "drop" }, 421],
    ["552 at once", "552 5.3.4 Too much", 552],
    ["a stray 250", "250 2.0.0 Whatever", null],
  ] as [string, Behaviour, number | null][])(
    "a relay that gives up (%s) has not got the message, and finish knows",
    async (_name, behaviour, code) => {
      const server = relay({ on: { BODY: behaviour } });
      const session = await openSession(server.url);
      const offer = await atTheDot(session, "Subject: Hello\r\n\r\nHello\r\n");
      await eventually(() => !session.usable);
      const outcome = await offer.finish();
      expect(outcome).toMatchObject({ unsent: { stage: "DATA", reply: code === null ? null : { code } } });
      expect(server.wire(1)).toEndWith("Hello\r\n");
      expect(server.accepted).toEqual([]);
    },
  );

  /** A message at its dot for a second, as after a sleep of the machine, while nothing was read from the relay. */
  async function keptWaiting(server: ScriptedSmtp, endOfRelay: () => void, standing: Partial<Clock> = {}) {
    const clock = manualClock();
    const session = smtpSession(relayAt(server.url), { ...clock, ...standing });
    expect(await session.open()).toBeNull();
    const offer = await atTheDot(session, "Subject: Hello\r\n\r\nHello\r\n");
    await server.reached("BODY");
    clock.advance(1_000);
    endOfRelay();
    // What the relay said or did has arrived, and no turn of the loop has read it.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return { session, clock, outcome: offer.finish() };
  }

  test.each([
    ["closed the connection", { and: "drop" }, null],
    ["reset it", { and: "reset" }, null],
    ["said 421 and closed it", { reply: "421 4.4.2 You take too long", and: "drop" }, 421],
    ["said 421", { reply: "421 4.4.2 You take too long", and: "stall" }, 421],
  ] as const)(
    "a relay that %s while we slept gets no dot, and the message is owed",
    async (_what, behaviour, code) => {
      const end = Promise.withResolvers<void>();
      const server = relay({ on: { BODY: { ...behaviour, after: end.promise } } });
      const { session, outcome } = await keptWaiting(server, end.resolve);
      const behind = session.offer({ ...toAda, to: "grace@example.com" }, "Subject: Next\r\n\r\n");
      expect(await outcome).toMatchObject({
        unsent: { stage: "DATA", reply: code === null ? null : { code } },
      });
      expect(await behind).toMatchObject({ ok: false, failure: { stage: "MAIL", reply: null } });
      await eventually(() => server.open === 0);
      expect(server.wire(1)).toEndWith("Hello\r\n");
    },
  );

  test.each([
    ["that counts durations stands still while the machine sleeps", { monotonicMs: () => 0 }],
    ["of the day was set back by as much", { now: () => 0 }],
  ] as [string, Partial<Clock>][])(
    "a relay that closed the connection gets no dot either where the clock %s",
    async (_what, standing) => {
      const end = Promise.withResolvers<void>();
      const server = relay({ on: { BODY: { and: "drop", after: end.promise } } });
      const { outcome } = await keptWaiting(server, end.resolve, standing);
      expect(await outcome).toMatchObject({ unsent: { stage: "DATA", reply: null } });
      await eventually(() => server.open === 0);
      expect(server.wire(1)).toEndWith("Hello\r\n");
    },
  );

  test("a relay that waited for us gets each dot, and the next message right behind it", async () => {
    const server = relay();
    const { session, clock, outcome } = await keptWaiting(server, () => undefined);
    const behind = session.offer({ ...toAda, to: "grace@example.com" }, "Subject: Next\r\n\r\n");
    expect(await outcome).toMatchObject({ reply: { code: 250 } });
    const next = await behind;
    clock.advance(1_000);
    expect(next.ok && (await next.finish())).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted.map(({ rcptTo }) => rcptTo[0])).toEqual(["ada@example.com", "grace@example.com"]);
    session.destroy();
  });

  test("destroyed in the same turn as the dot's order, it has not written the dot", async () => {
    const server = relay();
    const session = await openSession(server.url);
    const outcome = (await atTheDot(session, "Subject: Cut\r\n\r\nCut\r\n")).finish();
    session.destroy();
    expect(await outcome).toMatchObject({ unsent: { stage: "DATA", reply: null } });
    await eventually(() => server.open === 0);
    expect(server.wire(1)).toEndWith("Cut\r\n");
    expect(server.accepted).toEqual([]);
  });

  test("a relay that stops reading is given up before the dot", async () => {
    // A listener that accepts the envelope and then never reads again, and a message that fits into no socket
    // buffer.
    const listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => void client.write("220 hi\r\n"),
        data(client, chunk) {
          const text = chunk.toString();
          if (text.startsWith("DATA")) client.pause();
          client.write(text.startsWith("DATA") ? "354 go\r\n" : "250 fine\r\n");
        },
      },
    });
    const session = await openSession(`smtp://127.0.0.1:${listener.port}`, { bodyMs: 50 });
    const offer = await session.offer(toAda, Buffer.alloc(32 * 1024 * 1024, "x\r\n"));
    expect(offer).toMatchObject({ ok: false, failure: { stage: "DATA", reply: null } });
    expect(session.usable).toBe(false);
    listener.stop(true);
  });
});

describe("the dot", () => {
  test("finish writes it once, however often it is asked", async () => {
    const server = relay();
    const session = await openSession(server.url);
    const offer = await atTheDot(session, "Subject: Once\r\n\r\n");
    const [first, second] = await Promise.all([offer.finish(), offer.finish()]);
    expect(second).toEqual(first);
    expect(await offer.finish()).toEqual(first);
    expect(server.accepted).toHaveLength(1);
    void session.close();
  });

  test("is waited for 600 seconds, no less, by the clock that was passed in", async () => {
    const server = relay({ on: { DOT: stall } });
    const clock = manualClock();
    const session = smtpSession(relayAt(server.url), clock);
    expect(await session.open()).toBeNull();
    const offer = await atTheDot(session, "Subject: Slow\r\n\r\n");
    // Held by us, not by the relay: no limit runs.
    clock.advance(10 * stageLimits.dotMs);
    expect(session.usable).toBe(true);
    const outcome = offer.finish();
    await server.reached("DOT");
    clock.advance(stageLimits.dotMs - 1);
    expect(session.usable).toBe(true);
    clock.advance(1);
    expect(await outcome).toMatchObject({ lost: "no reply at DOT within 600000 ms" });
    expect(clock.pending).toBe(0);
  });

  test("destroyed while its reply is awaited, it is lost from sight and every promise settles", async () => {
    const server = relay({ on: { DOT: stall } });
    const session = await openSession(server.url);
    const outcome = (await atTheDot(session, "Subject: Cut\r\n\r\n")).finish();
    await server.reached("DOT");
    session.destroy();
    expect(await outcome).toMatchObject({ lost: "the session was cut" });
    await eventually(() => server.open === 0);
  });
});

test.each(["CONNECT", "MAIL", "RCPT", "DATA"] as const)(
  "destroy settles whatever waits at %s",
  async (stage) => {
    const server = relay({ on: { [stage]: stall } });
    const clock = manualClock();
    const session = smtpSession(relayAt(server.url), clock);
    const opening = session.open();
    const failure =
      stage === "CONNECT" ? opening : opening.then(() => session.offer(toAda, "Subject: Cut\r\n\r\n"));
    await server.reached(stage);
    session.destroy();
    expect(await failure).toBeTruthy();
    expect(clock.pending).toBe(0);
    await eventually(() => server.open === 0);
    expect(server.accepted).toEqual([]);
  },
);
