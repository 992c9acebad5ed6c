import { afterEach, describe, expect, test } from "bun:test";
import { eventually } from "../../support/common/eventually.ts";
import { atTheDot, limitsOf, openSession, toAda } from "../../support/sending/relay.ts";
import {
  scriptedSmtp,
  type ScriptedOptions,
  type ScriptedSmtp,
  drop,
  reset,
  stall,
  type Behaviour,
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
const silent: [name: string, behaviour: Behaviour][] = [
  ["drop", drop],
  ["reset", reset],
  ["stall", stall],
];

describe("with pipelining the next message goes out with the last one's dot", () => {
  const second = { from: toAda.from, to: "grace@example.org" };
  const secondMessage = "Subject: Second\r\n\r\nGrace, hello.\r\n";

  /**
   * The outcome of the first message and of the second, which is offered while the first one's dot is under
   * way.
   */
  async function both(server: ScriptedSmtp, limitMs?: number) {
    const session = await openSession(server.url, limitMs === undefined ? undefined : limitsOf(limitMs));
    const first = (await atTheDot(session, message)).finish();
    const offer = await session.offer(second, secondMessage);
    const after = offer.ok ? await offer.finish() : offer.failure;
    return { session, first: await first, second: after };
  }

  test("both arrive, each once, and the envelope shares the dot's packet", async () => {
    const server = relay({ extensions: pipelined, wire: true });
    const { session, ...outcomes } = await both(server);
    expect(outcomes).toMatchObject({ first: { reply: { code: 250 } }, second: { reply: { code: 250 } } });
    expect(server.accepted.map(({ rcptTo, raw }) => [rcptTo, raw])).toEqual([
      [[toAda.to], message],
      [[second.to], secondMessage],
    ]);
    expect(server.wire(1)).toContain(`hello.\r\n.\r\nMAIL FROM:<${second.from}>`);
    void session.close();
  });

  test.each([
    ["451 4.3.0 Try later", 451],
    ["550 5.7.1 Not this one", 550],
  ])("a dot that is refused (%s) says nothing about the next message", async (reply, code) => {
    const server = relay({
      extensions: pipelined,
      on: { DOT: ({ message: n }: { message: number }) => (n === 1 ? reply : undefined) },
    });
    const { session, ...outcomes } = await both(server);
    expect(outcomes).toMatchObject({ first: { reply: { code } }, second: { reply: { code: 250 } } });
    expect(server.accepted.map(({ rcptTo }) => rcptTo)).toEqual([[second.to]]);
    void session.close();
  });

  test.each(["MAIL", "RCPT", "DATA"] as const)(
    "the next message refused at %s takes nothing from the dot before it, and the one after it is its own",
    async (stage) => {
      const server = relay({
        extensions: pipelined,
        on: { [stage]: ({ message: n }: { message: number }) => (n === 2 ? "550 5.1.1 No" : undefined) },
      });
      const { session, ...outcomes } = await both(server);
      expect(outcomes).toMatchObject({
        first: { reply: { code: 250 } },
        second: { stage, reply: { code: 550 } },
      });
      expect(await (await atTheDot(session, message)).finish()).toMatchObject({ reply: { code: 250 } });
      expect(server.accepted.map(({ rcptTo }) => rcptTo)).toEqual([[toAda.to], [toAda.to]]);
      void session.close();
    },
  );

  test("a 421 to the dot is its answer, and the next message was never begun", async () => {
    const server = relay({ extensions: pipelined, on: { DOT: { reply: "421 4.3.2 Bye", and: "drop" } } });
    const { session, ...outcomes } = await both(server);
    expect(outcomes).toMatchObject({
      first: { reply: { code: 421 } },
      second: { stage: "MAIL", reply: null },
    });
    expect(session.usable).toBe(false);
    expect(server.accepted).toEqual([]);
  });

  test.each(silent)(
    "without a reply only the dot's message is lost from sight: %s",
    async (name, behaviour) => {
      const server = relay({ extensions: pipelined, on: { DOT: behaviour } });
      const { session, ...outcomes } = await both(server, name === "stall" ? 30 : undefined);
      expect(outcomes).toMatchObject({
        first: { lost: expect.any(String) },
        second: { stage: "MAIL", reply: null },
      });
      expect(session.usable).toBe(false);
      expect(server.accepted).toEqual([]);
    },
  );

  test("cut off while the dot waits, the next message is not lost from sight with it", async () => {
    const server = relay({ extensions: pipelined, on: { DOT: stall } });
    const session = await openSession(server.url);
    const first = (await atTheDot(session, message)).finish();
    const offer = session.offer(second, secondMessage);
    await server.reached("DOT");
    session.destroy();
    expect(await first).toMatchObject({ lost: "the session was cut" });
    expect(await offer).toMatchObject({ ok: false, failure: { stage: "MAIL", reply: null } });
    await eventually(() => server.open === 0);
    expect(server.accepted).toEqual([]);
  });

  test("where the relay announces none, that is a mistake of ours", async () => {
    const server = relay({ extensions: inTurn });
    const session = await openSession(server.url);
    const first = (await atTheDot(session, message)).finish();
    expect(session.pipelines).toBe(false);
    expect(await session.offer(second, secondMessage).catch((error: Error) => error.message)).toContain(
      "one message at a time",
    );
    expect(await first).toMatchObject({ reply: { code: 250 } });
    void session.close();
  });
});
