import { afterEach, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import type { DotOutcome, SmtpFailure } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import type { StageLimits } from "#mail/smtp/session/stage-limits.ts";
import { eventually } from "../../support/common/eventually.ts";
import { atTheDot, limitsOf, openSession, relayAt, toAda } from "../../support/sending/relay.ts";
import {
  scriptedSmtp,
  type ScriptedOptions,
  type ScriptedSmtp,
  drop,
  reset,
  stall,
  type Behaviour,
  type ServerStage,
} from "../../support/sending/scripted-smtp.ts";

const servers: ScriptedSmtp[] = [];
const relay = (options: ScriptedOptions): ScriptedSmtp => {
  const server = scriptedSmtp(options);
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const message = "Subject: Hello\r\n\r\nAda, hello.\r\n";
const inTurn = ["8BITMIME"];
const pipelined = ["PIPELINING", "8BITMIME"];

type Report = { at: "open" | "offer" | "dot"; failure?: SmtpFailure; outcome?: DotOutcome; usable: boolean };

const LIMIT_OF = { MAIL: "mailMs", RCPT: "rcptMs", DATA: "dataMs", DOT: "dotMs" } as const;
type Stalling = "CONNECT" | keyof typeof LIMIT_OF;

/** Only the stage that stalls has a short limit: on a busy machine those before it may be slow to answer. */
const shortAt = (stage: Stalling): StageLimits =>
  stage === "CONNECT" ? limitsOf(30) : { ...limitsOf(5_000), [LIMIT_OF[stage]]: 30 };

/** Sends one message to a relay that misbehaves, and says how far it got. */
async function sendTo(server: ScriptedSmtp, limits = limitsOf(5_000)): Promise<Report> {
  const session = smtpSession(relayAt(server.url), systemClock, limits);
  const notOpen = await session.open();
  if (notOpen !== null) return { at: "open", failure: notOpen, usable: session.usable };
  const offer = await session.offer(toAda, message);
  if (!offer.ok) return { at: "offer", failure: offer.failure, usable: session.usable };
  const outcome = await offer.finish();
  const report: Report = { at: "dot", outcome, usable: session.usable };
  void session.close();
  return report;
}

const told: [name: string, behaviour: Behaviour, code: number, enhanced: string, staysOpen: boolean][] = [
  ["4xx", "451 4.3.0 Try later", 451, "4.3.0", true],
  ["5xx", "550-5.1.1 No such user\r\n550 5.1.1 here", 550, "5.1.1", true],
  ["421", { reply: "421 4.7.0 Slow down", and: "drop" }, 421, "4.7.0", false],
];
const silent: [name: string, behaviour: Behaviour][] = [
  ["drop", drop],
  ["reset", reset],
  ["stall", stall],
];
const stages: [at: ServerStage, stage: Stalling][] = [
  ["CONNECT", "CONNECT"],
  ["EHLO", "CONNECT"],
  ["MAIL", "MAIL"],
  ["RCPT", "RCPT"],
  ["DATA", "DATA"],
];

describe("before the dot a failure is told by its stage, and nothing was delivered", () => {
  for (const extensions of [inTurn, pipelined]) {
    const manner = extensions === pipelined ? "pipelined" : "in turn";
    for (const [at, stage] of stages) {
      test.each(told)(`${at} ${manner}: %s`, async (_name, behaviour, code, enhanced, staysOpen) => {
        const server = relay({ extensions, on: { [at]: behaviour } });
        const report = await sendTo(server);
        expect(report.failure).toMatchObject({ stage, reply: { code, enhanced } });
        expect(report.usable).toBe(staysOpen && report.at === "offer");
        expect(server.accepted).toEqual([]);
      });
      test.each(silent)(`${at} ${manner}: %s`, async (name, behaviour) => {
        const server = relay({ extensions, on: { [at]: behaviour } });
        const report = await sendTo(server, name === "stall" ? shortAt(stage) : limitsOf(5_000));
        expect(report).toMatchObject({ failure: { reply: null }, usable: false });
        // A reset also destroys the replies before it that were still on their way.
        if (extensions === inTurn || name !== "reset") expect(report.failure?.stage).toBe(stage);
        expect(server.accepted).toEqual([]);
      });
    }
  }

  test("nobody listens", async () => {
    const server = scriptedSmtp();
    const { url } = server;
    server.stop();
    const failure = await smtpSession(relayAt(url), systemClock).open();
    expect(failure).toMatchObject({
      stage: "CONNECT",
      reply: null,
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("the detail for the log names no address", async () => {
    const server = relay({ on: { RCPT: "550 5.1.1 <ada@example.com>: unknown" } });
    const { failure } = await sendTo(server);
    expect(failure?.detail).not.toContain("@");
  });

  test("a message over the announced size is refused unsent, and the session goes on", async () => {
    const server = relay({ extensions: ["SIZE 20"] });
    const session = await openSession(server.url);
    expect(await session.offer(toAda, message)).toMatchObject({
      ok: false,
      failure: { stage: "MAIL", reply: { code: 552, enhanced: "5.3.4" } },
    });
    expect(await (await atTheDot(session, "Hi\r\n")).finish()).toMatchObject({ reply: { code: 250 } });
    expect(server.transactions).toBe(1);
    void session.close();
  });

  test("a relay that reports as asked is asked to return the header only", async () => {
    for (const [extensions, command] of [
      [["DSN"], "MAIL FROM:<bounces@mail.example.com> RET=HDRS\r\n"],
      [["DSN", "SIZE 1000"], `MAIL FROM:<bounces@mail.example.com> SIZE=${message.length} RET=HDRS\r\n`],
      [["XDSN"], "MAIL FROM:<bounces@mail.example.com>\r\n"],
    ] as const) {
      const server = relay({ extensions: [...extensions], wire: true });
      expect(await sendTo(server)).toMatchObject({ outcome: { reply: { code: 250 } } });
      expect(server.wire(1)).toContain(command);
    }
  });

  test("a relay that answers DATA with 250 is out of step: the session is over", async () => {
    const server = relay({ on: { DATA: "250 2.0.0 What?" }, wire: true });
    const report = await sendTo(server);
    expect(report).toMatchObject({ failure: { stage: "DATA", reply: null }, usable: false });
    expect(server.wire(1)).not.toContain("Ada, hello");
  });
});

describe("after the dot", () => {
  test.each(told)("a reply is an answer: %s", async (_name, behaviour, code, enhanced, staysOpen) => {
    const server = relay({ on: { DOT: behaviour } });
    const report = await sendTo(server);
    expect(report).toMatchObject({ at: "dot", outcome: { reply: { code, enhanced } }, usable: staysOpen });
    expect(server.accepted).toEqual([]);
  });

  test.each(silent)("without a reply the message is lost from sight: %s", async (name, behaviour) => {
    for (const kept of [true, false]) {
      const server = relay({ on: { DOT: { ...(behaviour as object), kept } as Behaviour } });
      const report = await sendTo(server, name === "stall" ? shortAt("DOT") : limitsOf(5_000));
      expect(report).toMatchObject({ at: "dot", outcome: { lost: expect.any(String) }, usable: false });
      expect(server.accepted).toHaveLength(kept ? 1 : 0);
    }
  });

  test("a reply that is none leaves the message lost from sight", async () => {
    for (const reply of ["354 More?", "What?"]) {
      const report = await sendTo(relay({ on: { DOT: reply } }));
      expect(report).toMatchObject({ at: "dot", outcome: { lost: expect.any(String) }, usable: false });
    }
  });

  test("250 counts, though the connection is reset behind it", async () => {
    const server = relay({ on: { DOT: { reply: "250 2.0.0 Mine now", and: "reset" } } });
    const report = await sendTo(server);
    expect(report.outcome).toMatchObject({ reply: { code: 250, enhanced: "2.0.0", text: "Mine now" } });
    expect(server.accepted).toHaveLength(1);
  });
});

describe("one session carries many messages", () => {
  test("200 messages over one connection arrive once each, in order", async () => {
    const server = relay({});
    const session = await openSession(server.url);
    for (let i = 1; i <= 200; i++) {
      const offer = await atTheDot(session, `Subject: ${i}\r\n\r\n${i}\r\n`, {
        from: toAda.from,
        to: `reader-${i}@example.com`,
      });
      expect(await offer.finish()).toMatchObject({ reply: { code: 250 } });
    }
    expect(server.accepted.map(({ rcptTo, raw }) => [rcptTo, raw])).toEqual(
      Array.from({ length: 200 }, (_, i) => [
        [`reader-${i + 1}@example.com`],
        `Subject: ${i + 1}\r\n\r\n${i + 1}\r\n`,
      ]),
    );
    expect(server.connections).toBe(1);
    void session.close();
    await eventually(() => server.open === 0);
  });

  test.each(["MAIL", "RCPT", "DATA", "DOT"] as const)(
    "after a refusal at %s the next message is its own",
    async (stage) => {
      for (const extensions of [inTurn, pipelined]) {
        const server = relay({
          extensions,
          on: {
            [stage]: ({ message: n }: { message: number }) =>
              n % 2 === 1 ? "550 5.1.1 Not this one" : undefined,
          },
        });
        const session = await openSession(server.url);
        for (let i = 1; i <= 6; i++) {
          const offer = await session.offer(
            { from: toAda.from, to: `reader-${i}@example.com` },
            `Subject: ${i}\r\n\r\n`,
          );
          const outcome = offer.ok ? await offer.finish() : offer.failure;
          expect(outcome).toMatchObject({ reply: { code: i % 2 === 1 ? 550 : 250 } });
        }
        expect(server.accepted.map(({ rcptTo, raw }) => [rcptTo, raw])).toEqual(
          [2, 4, 6].map((i) => [[`reader-${i}@example.com`], `Subject: ${i}\r\n\r\n`]),
        );
        expect(server.connections).toBe(1);
        void session.close();
      }
    },
  );

  test("a relay that says 354 though it refused the recipient gets no message", async () => {
    const refusesFirst = ({ message: n }: { message: number }) =>
      n === 1 ? "550 5.1.1 No such user" : undefined;
    const server = relay({
      extensions: pipelined,
      on: { RCPT: refusesFirst, DATA: "354 Go ahead" },
      wire: true,
    });
    const session = await openSession(server.url);
    expect(await session.offer(toAda, message)).toMatchObject({
      ok: false,
      failure: { stage: "RCPT", reply: { code: 550 } },
    });
    expect(server.wire(1)).not.toContain("Ada, hello");
    expect(await (await atTheDot(session, message)).finish()).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted).toMatchObject([{ rcptTo: [toAda.to], raw: message }]);
    void session.close();
  });

  test("a relay that refuses the sender, but takes the recipient and says 354, gets no message, not even an empty one", async () => {
    const replies: Record<string, string> = {
      EHLO: "250-policy.example.com\r\n250 PIPELINING",
      MAIL: "451 4.3.0 The policy server does not answer",
      DATA: "354 Go ahead",
    };
    const received: string[] = [];
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const lenient = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => void client.write("220 policy.example.com ESMTP\r\n"),
        data(client, chunk) {
          const lines = chunk.toString().split("\r\n").slice(0, -1);
          received.push(...lines);
          for (const line of lines) client.write(`${replies[line.slice(0, 4)] ?? "250 2.0.0 Fine"}\r\n`);
        },
        close: () => resolve(),
      },
    });
    const session = await openSession(`smtp://127.0.0.1:${lenient.port}`);
    expect(await session.offer(toAda, message)).toMatchObject({
      ok: false,
      failure: { stage: "MAIL", reply: { code: 451 } },
    });
    void session.close();
    await closed;
    expect(received.at(-1)).toBe("DATA");
    expect(session.usable).toBe(false);
    lenient.stop(true);
  });

  test("a relay that fails at RSET is not used again", async () => {
    const server = relay({ on: { RCPT: "550 5.1.1 No such user", RSET: drop } });
    const session = await openSession(server.url);
    expect(await session.offer(toAda, message)).toMatchObject({ ok: false, failure: { stage: "RCPT" } });
    expect(await session.offer(toAda, message)).toMatchObject({
      ok: false,
      failure: { stage: "MAIL", reply: null },
    });
    expect(session.usable).toBe(false);
    expect(server.accepted).toEqual([]);
  });

  test("a second message while one is under way is a mistake of ours, and harms neither", async () => {
    const server = relay({});
    const session = await openSession(server.url);
    const first = await atTheDot(session, message);
    const mistake = await session.offer(toAda, message).catch((error: Error) => error.message);
    expect(mistake).toContain("one message at a time");
    expect(await first.finish()).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted).toHaveLength(1);
    void session.close();
  });

  test.each([
    ["FIN", { reply: "250 2.0.0 Queued", and: "drop" }],
    ["RST", { reply: "250 2.0.0 Queued", and: "reset" }],
    ["421", { reply: "250 2.0.0 Queued\r\n421 4.4.2 Idle for too long", and: "drop" }],
  ] as [string, Behaviour][])(
    "a connection the relay closed while idle (%s) is seen at once",
    async (_name, behaviour) => {
      const server = relay({ on: { DOT: behaviour } });
      const session = await openSession(server.url);
      expect(await (await atTheDot(session, message)).finish()).toMatchObject({ reply: { code: 250 } });
      await eventually(() => !session.usable);
      expect(await session.offer(toAda, message)).toMatchObject({
        ok: false,
        failure: { stage: "MAIL", reply: null },
      });
      expect(server.accepted).toHaveLength(1);
      expect(server.transactions).toBe(1);
    },
  );

  test("close says QUIT when idle, and does not wait for ever for the answer", async () => {
    const polite = relay({ wire: true });
    const first = await openSession(polite.url);
    void first.close();
    expect(first.usable).toBe(false);
    await eventually(() => polite.open === 0);
    expect(polite.wire(1)).toEndWith("QUIT\r\n");

    const mute = relay({ on: { QUIT: stall } });
    const second = await openSession(mute.url, { quitMs: 20 });
    void second.close();
    await eventually(() => mute.open === 0);
  });
});
