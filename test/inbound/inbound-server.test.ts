import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startInboundSmtp } from "#app/inbound.ts";
import type { Services } from "#app/services.ts";
import { systemRandom } from "#core/random.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemClock } from "#core/time/clock.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import type { InboundPost } from "#mail/inbound/inbound-server.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { present } from "#core/present.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { certificateOf } from "../support/server/certificates.ts";
import { isOneLine } from "../support/common/one-line.ts";
import { lacksProgram } from "../support/common/needs.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";
import { OURS, say, startInbound, toData, type TestInbound } from "../support/inbound/inbound.ts";

const MIB = 1024 * 1024;
const FIXTURES = join(import.meta.dir, "../fixtures");
const home = temporaryDirectory();
const [EMPTY, PIPE] = [`${home.path}/empty.pem`, `${home.path}/pipe.pem`];
writeFileSync(EMPTY, "");
Bun.spawnSync(["mkfifo", PIPE]);
afterAll(() => home.remove());
const open: TestInbound[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ server }) => server.close())));

async function start(...own: Parameters<typeof startInbound>): Promise<TestInbound> {
  const inbound = await startInbound(...own);
  open.push(inbound);
  return inbound;
}

describe("mail that comes in", () => {
  test("is kept byte for byte, with the addresses it was sent to, from the sender that reports have: none", async () => {
    const { greeted, kept } = await start();
    const client = await greeted();
    await toData(client);
    expect(await say(client, "Subject: report\r\n\r\n..dot\r\n\xff line\r\n.\r\n")).toStartWith("250 2.0.0");
    expect(kept.map(({ recipients }) => recipients)).toEqual([[OURS]]);
    expect(Buffer.from(present(kept[0], "mail").raw, "latin1").toString()).toBe(
      "Subject: report\r\n\r\n.dot\r\n\xff line\r\n",
    );
  });

  test("for an address that is not ours is refused, and so is relaying", async () => {
    const { greeted, kept } = await start();
    const client = await greeted();
    for (const address of [
      "postmaster@bounces.example.org",
      "grace@example.com",
      "b-token@example.com",
      OURS + ".example.com",
      `"${OURS}"@example.com`,
      `@example.com:${OURS.replace("@", "%")}@example.com`,
    ]) {
      await say(client, "MAIL FROM:<x@example.net>\r\n");
      expect(await say(client, `RCPT TO:<${address}>\r\n`)).toMatch(/^5\d\d /);
      expect(await say(client, "DATA\r\n")).toMatch(/^503 /);
      await say(client, "RSET\r\n");
    }
    expect(kept).toEqual([]);
  });

  test("is answered 250 only after it is kept", async () => {
    const keeping = Promise.withResolvers<void>();
    const { greeted } = await start({ post: { take: () => keeping.promise } });
    const client = await greeted();
    await toData(client);
    const before = client.received;
    const answered = say(client, "Subject: x\r\n\r\nx\r\n.\r\n");
    await Promise.race([answered, nextLoopTurn()]);
    expect(client.received).toBe(before);
    keeping.resolve();
    expect(await answered).toStartWith("250 ");
  });

  test("that cannot be kept is answered 451, and the connection goes on", async () => {
    let isFull = true;
    const { greeted, log } = await start({
      post: { take: async () => (isFull ? Promise.reject(new Error("disk full")) : undefined) },
    });
    const client = await greeted();
    await toData(client);
    expect(await say(client, "x\r\n.\r\n")).toStartWith("451 4.3.0");
    expect(log.join("")).toContain("disk full");
    isFull = false;
    await toData(client);
    expect(await say(client, "x\r\n.\r\n")).toStartWith("250 ");
  });

  test("is told to come again where nobody can say whether an address is ours", async () => {
    const { greeted } = await start({ post: { takes: () => Promise.reject(new Error("no database")) } });
    const client = await greeted();
    await say(client, "MAIL FROM:<>\r\n");
    expect(await say(client, `RCPT TO:<${OURS}>\r\n`)).toStartWith("451 ");
  });

  test("larger than 1 MiB is refused, whether or not it says so first", async () => {
    const { greeted, kept } = await start();
    const client = await greeted();
    expect(client.received).toContain(`SIZE ${MIB}`);
    expect(await say(client, `MAIL FROM:<> SIZE=${MIB + 1}\r\n`)).toStartWith("552 ");
    await toData(client);
    const line = `${"x".repeat(998)}\r\n`;
    expect(await say(client, `${line.repeat(1049)}.\r\n`)).toStartWith("552 5.3.4");
    await toData(client);
    expect(await say(client, `${line.repeat(1048)}.\r\n`)).toStartWith("250 ");
    expect(kept.map(({ raw }) => raw.length)).toEqual([1_048_000]);
  });

  test("may have thousands of lines that begin with a dot, and lies in one piece of memory", async () => {
    const buffers: ArrayBufferLike[] = [];
    const raws: string[] = [];
    const take: InboundPost["take"] = async ({ raw }) => {
      buffers.push(raw.buffer);
      raws.push(Buffer.from(raw).toString());
    };
    const { greeted } = await start({ post: { take } });
    const client = await greeted();
    await toData(client);
    expect(await say(client, `${"..\r\n".repeat(5_000)}.\r\n`)).toStartWith("250 ");
    expect(raws).toEqual([".\r\n".repeat(5_000)]);
    expect(buffers.map(({ byteLength }) => byteLength <= 2 * 15_000)).toEqual([true]);
  });

  test("of hardly anything but such lines is refused before its end, and the connection with it", async () => {
    const { greeted, kept } = await start();
    const client = await greeted();
    await toData(client);
    expect(await say(client, "..\r\n".repeat(25_000))).toStartWith("552 5.3.4");
    await client.closed;
    expect(kept).toEqual([]);
  });

  test("ends only at a dot between two CRLF: nothing can be smuggled behind another end", async () => {
    for (const end of ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\n\n.\r\n", "\r\n\0.\r\n"]) {
      const { greeted, kept } = await start();
      const client = await greeted();
      await toData(client);
      const smuggled = `first${end}MAIL FROM:<x@example.net>\r\nRCPT TO:<${OURS}>\r\nDATA\r\nsecond`;
      expect(await say(client, `${smuggled}\r\n.\r\n`)).toStartWith("250 ");
      expect([end, kept.length]).toEqual([end, 1]);
      expect(kept[0]?.raw).toContain("second");
      client.cut();
    }
  });

  test("that is cut off before its end is not taken", async () => {
    const { greeted, kept, server } = await start();
    const client = await greeted();
    await toData(client);
    client.send("Subject: half\r\n\r\nhalf\r\n");
    client.cut();
    await server.close();
    expect(kept).toEqual([]);
  });
});

describe("a client that asks too much", () => {
  test("may have ten connections", async () => {
    const { greeted } = await start();
    const ten = await Promise.all(Array.from({ length: 10 }, greeted));
    expect(String(await greeted().catch((error: unknown) => error))).toContain("421");
    ten[0]?.send("QUIT\r\n");
    await ten[0]?.closed;
    await greeted();
  });

  test("is cut off after 20 addresses that are not here", async () => {
    const { greeted } = await start();
    const client = await greeted();
    await say(client, "MAIL FROM:<x@example.net>\r\n");
    for (let tried = 0; tried < 20; tried++)
      expect(await say(client, `RCPT TO:<${tried}@example.com>\r\n`)).toStartWith("550 5.1.1");
    expect(await say(client, `RCPT TO:<${OURS}>\r\n`)).toStartWith("421 ");
    await client.closed;
  });

  test("may name 50 recipients in a message", async () => {
    const { greeted } = await start({ post: { takes: async () => true } });
    const client = await greeted();
    await say(client, "MAIL FROM:<>\r\n");
    for (let named = 0; named < 50; named++)
      expect(await say(client, `RCPT TO:<b-${named}@bounces.example.org>\r\n`)).toStartWith("250 ");
    expect(await say(client, "RCPT TO:<b-50@bounces.example.org>\r\n")).toStartWith("452 4.5.3");
  });

  test("may send 100 messages on one connection", async () => {
    const { greeted, kept } = await start();
    const client = await greeted();
    for (let sent = 0; sent < 100; sent++) {
      await toData(client);
      expect(await say(client, "x\r\n.\r\n")).toStartWith("250 ");
    }
    expect(await say(client, "MAIL FROM:<>\r\n")).toStartWith("421 ");
    await client.closed;
    expect(kept.length).toBe(100);
  });

  test("is cut off after ten minutes, however busy it is", async () => {
    const { greeted, clock } = await start();
    const client = await greeted();
    clock.advance(9 * 60_000);
    expect(await say(client, "NOOP\r\n")).toStartWith("250 ");
    clock.advance(60_000);
    await client.closed;
  });

  test("that talks nonsense, or HTTP, is cut off", async () => {
    const { greeted } = await start();
    const client = await greeted();
    for (let said = 0; said < 10; said++) client.send("NONSENSE\r\n");
    await client.closed;
    const browser = await greeted();
    browser.send("POST / HTTP/1.1\r\n");
    await browser.closed;
  });
});

describe("stopping", () => {
  test("waits for a message that is on its way, and for nobody who is idle", async () => {
    const keeping = Promise.withResolvers<void>();
    const { greeted, server } = await start({ post: { take: () => keeping.promise } });
    const [busy, idle] = [await greeted(), await greeted()];
    await toData(busy);
    const answered = say(busy, "x\r\n.\r\n");
    await nextLoopTurn();
    const closed = server.close();
    await idle.closed;
    keeping.resolve();
    expect(await answered).toStartWith("250 ");
    busy.send("QUIT\r\n");
    await closed;
  });
});

describe("TLS", () => {
  test("is offered with a certificate, and not without", async () => {
    const plain = await start();
    expect((await plain.greeted()).received).not.toContain("STARTTLS");
    const secured = await start({ tls: certificateOf("hook") });
    expect((await secured.greeted()).received).toContain("STARTTLS");
    const url = `smtp://127.0.0.1:${secured.server.port}/?requireTLS=true&tls.rejectUnauthorized=false`;
    const session = smtpSession(present(unwrap(parseRelayUrls(url))[0], "relay"), systemClock);
    expect(await session.open()).toBeNull();
    expect(session.encrypted).toBeTrue();
    const offer = await session.offer({ from: "x@example.net", to: OURS }, "Subject: x\r\n\r\nx\r\n");
    if (!offer.ok) throw new Error("not offered");
    await offer.finish();
    void session.close();
    expect(secured.kept.length).toBe(1);
  });

  test("a client that asks for a certificate it trusts sends nothing to this one, and the server takes others", async () => {
    const { server, kept, greeted } = await start({ tls: certificateOf("hook") });
    const url = `smtp://127.0.0.1:${server.port}/?requireTLS=true`;
    const strict = smtpSession(present(unwrap(parseRelayUrls(url))[0], "relay"), systemClock);
    expect(await strict.open()).not.toBeNull();
    const client = await greeted();
    await toData(client);
    expect(await say(client, "Subject: x\r\n\r\nx\r\n.\r\n")).toStartWith("250 ");
    expect(kept.length).toBe(1);
  });

  test("what came in the clear behind STARTTLS is not carried over", async () => {
    const { kept, greeted } = await start({ tls: certificateOf("hook") });
    const client = await greeted();
    client.send(`STARTTLS\r\nMAIL FROM:<>\r\nRCPT TO:<${OURS}>\r\nDATA\r\nx\r\n.\r\n`);
    await client.until(/^220 [\s\S]*^220 /m);
    client.cut();
    await client.closed;
    expect(client.received).not.toContain("354");
    expect(kept).toEqual([]);
  });

  test.each([
    ["a file that is not there", { certFile: "nowhere.pem" }, "cannot be read"],
    ["a file that is no certificate", { certFile: "README.md" }, "are no certificate with its key in PEM"],
    [
      "a certificate of another key",
      { certFile: "localhost-certificate.pem" },
      "are no certificate with its key in PEM",
    ],
    // As after a renewal on a full disk.
    ["an empty certificate", { certFile: EMPTY }, `INBOUND_TLS_CERT: ${EMPTY} is empty`],
    ["an empty key", { keyFile: EMPTY }, `INBOUND_TLS_KEY: ${EMPTY} is empty`],
    [
      "a pipe as certificate",
      { certFile: PIPE },
      `INBOUND_TLS_CERT: ${PIPE} cannot be read (it is no regular`,
    ],
    [
      "a device as key",
      { keyFile: "/dev/zero" },
      "INBOUND_TLS_KEY: /dev/zero cannot be read (it is no regular",
    ],
  ])("%s ends the start with one line that names it", async (_, wrong, says) => {
    const { certFile, keyFile } = { certFile: "hook-certificate.pem", keyFile: "hook-key.pem", ...wrong };
    const files = { certFile: resolve(FIXTURES, certFile), keyFile: resolve(FIXTURES, keyFile) };
    const options = {
      address: { host: "127.0.0.1", port: 0 },
      tls: files,
      baseUrl: "https://mail.example.org",
    };
    const failed = await startInboundSmtp(
      { bounces: null } as unknown as Services,
      { clock: systemClock, random: systemRandom, log: SILENT_LOG },
      options,
    ).then(
      async (server) => {
        await server.close();
        return "it started";
      },
      (error: unknown) => String(error),
    );
    expect(failed).toContain("INBOUND_TLS_");
    expect(failed).toContain(says);
    expect(isOneLine(failed)).toBeTrue();
  });
});

describe("another program's client", () => {
  test.skipIf(lacksProgram("smtp-source"))(
    "Postfix's smtp-source delivers 50 messages over 5 connections",
    async () => {
      const { server, kept } = await start();
      const args = [
        "-s",
        "5",
        "-m",
        "50",
        "-l",
        "4000",
        "-f",
        "x@example.net",
        "-t",
        OURS,
        `127.0.0.1:${server.port}`,
      ];
      const source = Bun.spawn([present(Bun.which("smtp-source"), "smtp-source"), ...args]);
      expect(await source.exited).toBe(0);
      expect(kept.length).toBe(50);
    },
  );
});
