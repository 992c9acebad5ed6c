import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { systemClock } from "#core/time/clock.ts";
import { describeProblem } from "#mail/smtp/session/connection-options.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { atTheDot, limitsOf, openSession, relayAt, toAda } from "../../support/sending/relay.ts";
import {
  scriptedSmtp,
  type ScriptedOptions,
  type ScriptedSmtp,
  stall,
} from "../../support/sending/scripted-smtp.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const relay = (options: ScriptedOptions): ScriptedSmtp => {
  const server = scriptedSmtp({ wire: true, ...options });
  closing.push(() => server.stop());
  return server;
};

/** smtp-server with its published, self-signed certificate; collects what it accepts. */
async function tlsRelay(
  options: SMTPServerOptions = {},
): Promise<{ port: number; accepted: { raw: string; secure: boolean; user: unknown }[] }> {
  const accepted: { raw: string; secure: boolean; user: unknown }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onAuth: (auth, _session, answer) => {
      if (auth.username === "ada" && auth.password === "correct horse") answer(null, { user: "ada" });
      else answer(Object.assign(new Error("Who?"), { responseCode: 535 }));
    },
    onData: (stream, session, answer) => {
      let raw = "";
      stream.on("data", (chunk: Buffer) => (raw += chunk.toString()));
      stream.on("end", () => {
        accepted.push({ raw, secure: session.secure, user: session.user });
        answer();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  closing.push(() => server.close());
  return { port: (listener.address() as AddressInfo).port, accepted };
}

const open = (url: string, limitMs = 5_000) =>
  smtpSession(relayAt(url), systemClock, limitsOf(limitMs)).open();

describe("TLS", () => {
  test.each(["smtp", "smtps"])("a self-signed certificate is refused by default (%s)", async (scheme) => {
    const server = await tlsRelay({ secure: scheme === "smtps" });
    const failure = await open(`${scheme}://ada:correct%20horse@127.0.0.1:${server.port}`);
    expect(failure).toMatchObject({
      stage: "CONNECT",
      reply: null,
      detail: expect.stringMatching(/self.signed|certificate/i),
    });
    expect(server.accepted).toEqual([]);
  });

  test.each([
    ["SELF_SIGNED_CERT_IN_CHAIN", "self signed certificate", /: its certificate .* NODE_EXTRA_CA_CERTS/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self signed certificate", /this machine .*rejectUnauthorized=false/],
    ["ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED", "alert 116", /wants to see a certificate.* password$/],
    ["CERT_HAS_EXPIRED", "certificate has expired", /: its certificate has expired$/],
    [
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "Host: mx.example.com. is not in the cert's altnames: DNS:mail.example.org",
      /: its certificate is for another name: .*DNS:mail\.example\.org$/,
    ],
  ])("the failure says why a certificate is refused: %s", (code, message, words) => {
    expect(describeProblem({ code, message }, relayAt("smtp://127.0.0.1"))).toMatch(words);
  });

  test.each(["smtp", "smtps"])("and taken when the URL says so (%s)", async (scheme) => {
    const server = await tlsRelay({ secure: scheme === "smtps" });
    const session = await openSession(
      `${scheme}://ada:correct%20horse@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
    );
    const text = `Subject: Sealed\r\n\r\n.\r\n${"x\r\n".repeat(100_000)}`;
    for (let i = 0; i < 3; i++)
      expect(await (await atTheDot(session, text)).finish()).toMatchObject({ reply: { code: 250 } });
    expect(server.accepted.map(({ raw, secure, user }) => [raw === text, secure, user])).toEqual(
      Array.from({ length: 3 }, () => [true, true, "ada"]),
    );
    void session.close();
  });

  test("from the first byte, at a relay that begins without it: the failure says which URL to use", async () => {
    const server = await tlsRelay();
    expect(await open(`smtps://127.0.0.1:${server.port}`)).toMatchObject({
      stage: "CONNECT",
      reply: null,
      detail: expect.stringContaining("smtp://"),
    });
  });

  test("destroyed at the dot, a message inside TLS is discarded too", async () => {
    const ended = Promise.withResolvers<void>();
    const server = await tlsRelay({ onClose: () => ended.resolve() });
    const session = await openSession(`smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`);
    await atTheDot(session, "Subject: Never\r\n\r\nNever\r\n");
    session.destroy();
    await ended.promise;
    expect(server.accepted).toEqual([]);
  });

  test("with requireTLS a relay without STARTTLS gets nothing", async () => {
    const server = relay({ auth: { user: "ada", pass: "correct horse" } });
    const failure = await open(`smtp://ada:correct%20horse@127.0.0.1:${server.port}?requireTLS=true`);
    expect(failure).toMatchObject({ stage: "CONNECT", reply: { code: 502 } });
    expect(server.wire(1)).not.toContain("AUTH");
  });

  test("with ignoreTLS a relay that offers STARTTLS is used as it is", async () => {
    const server = relay({ extensions: ["STARTTLS"] });
    const session = await openSession(`${server.url}?ignoreTLS=true`);
    expect(await (await atTheDot(session, "Subject: Open\r\n\r\n")).finish()).toMatchObject({
      reply: { code: 250 },
    });
    void session.close();
  });
});

describe("the password", () => {
  const auth = { user: "ada", pass: "correct horse" };

  test("never crosses a network in clear text", async () => {
    const server = relay({ auth });
    // 0.0.0.0 reaches this machine, but its name does not say so.
    const failure = await open(`smtp://ada:correct%20horse@0.0.0.0:${server.port}`);
    expect(failure).toMatchObject({
      stage: "AUTH",
      reply: { code: 538, enhanced: "5.7.11", text: expect.stringContaining("ignoreTLS=true") },
    });
    expect(server.wire(1)).not.toContain("AUTH");
  });

  test.each([
    "smtp://ada:correct%20horse@127.0.0.1:PORT",
    "smtp://ada:correct%20horse@0.0.0.0:PORT?ignoreTLS=true",
  ])("is sent to %s", async (url) => {
    const server = relay({ auth });
    const session = await openSession(url.replace("PORT", String(server.port)));
    expect(await (await atTheDot(session, "Subject: In\r\n\r\n")).finish()).toMatchObject({
      reply: { code: 250 },
    });
    expect(server.wire(1)).toContain("AUTH PLAIN");
    void session.close();
  });

  test("when wrong fails at AUTH with the relay's reply, and shows up nowhere", async () => {
    const server = relay({ auth });
    const failure = await open(`smtp://ada:battery%20staple@127.0.0.1:${server.port}`);
    expect(failure).toMatchObject({ stage: "AUTH", reply: { code: 535, enhanced: "5.7.8" } });
    expect(JSON.stringify(failure)).not.toContain("staple");
    expect(server.transactions).toBe(0);
  });

  test.each(["battery staple", Buffer.from("\0ada\0battery staple").toString("base64")])(
    "is not in the reply of a relay that repeats it as %s",
    async (sent) => {
      const server = relay({ auth, on: { AUTH: `535-5.7.8 No: "AUTH PLAIN ${sent}"\r\n535 5.7.8 ${sent}` } });
      const failure = await open(`smtp://ada:battery%20staple@127.0.0.1:${server.port}`);
      expect(failure).toMatchObject({ reply: { code: 535, text: 'No: "AUTH PLAIN ***" ***' } });
    },
  );

  test("is not in the words of what answers like no relay", async () => {
    const sent = Buffer.from("\0ada\0battery staple").toString("base64");
    const server = relay({ auth, on: { AUTH: `What? AUTH PLAIN ${sent}` } });
    const failure = await open(`smtp://ada:battery%20staple@127.0.0.1:${server.port}`);
    expect(failure).toMatchObject({
      stage: "AUTH",
      reply: null,
      detail: "EAUTH: the answer is no reply of SMTP",
    });
  });

  test.each([
    ["4xx", "454 4.7.0 Not now", { code: 454, enhanced: "4.7.0" }],
    ["drop", { and: "drop" as const }, null],
    ["reset", { and: "reset" as const }, null],
    ["stall", stall, null],
  ])("AUTH: %s", async (name, behaviour, reply) => {
    const server = relay({ auth, on: { AUTH: behaviour } });
    const failure = await open(
      `smtp://ada:correct%20horse@127.0.0.1:${server.port}`,
      name === "stall" ? 30 : 5_000,
    );
    expect(failure).toMatchObject({ stage: "AUTH", reply });
    expect(server.transactions).toBe(0);
  });

  test("is given up where the relay asks for more without end", async () => {
    let asked = 0;
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => void socket.write("220 hello\r\n"),
        data(socket, chunk) {
          const isHello = chunk.toString().startsWith("EHLO");
          if (!isHello) asked++;
          socket.write(isHello ? "250-hello\r\n250 AUTH PLAIN\r\n" : "334 \r\n");
        },
      },
    });
    closing.push(() => server.stop(true));
    expect(await open(`smtp://ada:x@127.0.0.1:${server.port}`)).toMatchObject({
      stage: "AUTH",
      reply: null,
      detail: "the relay's login does not end",
    });
    expect(asked).toBeLessThan(20);
  });

  test("is not needed by a relay that announces no AUTH", async () => {
    const server = relay({});
    const session = await openSession(`smtp://ada:x@127.0.0.1:${server.port}`);
    expect(await session.offer(toAda, "Subject: Hi\r\n\r\n")).toMatchObject({ ok: true });
    session.destroy();
  });
});
