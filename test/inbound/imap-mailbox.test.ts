import { afterEach, describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import {
  MailboxTrouble,
  READ_BYTES_MAX,
  type MailboxSession,
  type RefusedMail,
} from "#mail/mailbox/mailbox.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { startImapServer, type ImapServer } from "../support/inbound/imap-server.ts";
import { manualClock } from "../support/common/manual-clock.ts";

let server: ImapServer;
const sessions: MailboxSession[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  server.stop();
});

function setUp(mails: readonly string[] = []): ImapServer {
  server = startImapServer();
  for (const mail of mails) server.deliver(mail);
  return server;
}

const clock = manualClock();
const addressOf = (password = "secret", folder = "INBOX") =>
  unwrap(parseMailboxUrl(`imap://bounces:${password}@127.0.0.1:${server.port}/${folder}`));

async function open(password?: string, folder?: string): Promise<MailboxSession> {
  const session = await mailboxOpener(clock)(addressOf(password, folder));
  sessions.push(session);
  return session;
}

const textOf = (read: Uint8Array | RefusedMail | null): string => {
  if (!(read instanceof Uint8Array)) throw new Error(read === null ? "it is gone" : read.refusal);
  return Buffer.from(read).toString("latin1");
};

describe("a mailbox by IMAP", () => {
  test("shows its mail oldest first, byte for byte, and marks nothing as read", async () => {
    setUp(["Subject: one\r\n\r\n.\r\n\xff\r\n", "Subject: two\r\n\r\n"]);
    const session = await open();
    const mails = await session.list();
    expect(await Promise.all(mails.map(async (mail) => textOf(await session.read(mail))))).toEqual([
      "Subject: one\r\n\r\n.\r\n\xff\r\n",
      "Subject: two\r\n\r\n",
    ]);
    expect(server.folders.get("INBOX")?.every(({ flags }) => flags.size === 0)).toBeTrue();
    expect(server.commands.join("\n")).not.toContain("secret");
  });

  test("moves what was filed, marks what was left, and shows neither again, in later sessions too", async () => {
    setUp(["filed\r\n", "left\r\n", "new\r\n"]);
    const session = await open();
    const [filed, left] = await session.list();
    await session.file(present(filed, "mail"));
    await session.leave(present(left, "mail"));
    expect((await session.list()).length).toBe(1);
    expect(server.folders.get("Postrider")?.map(({ raw }) => raw)).toEqual(["filed\r\n"]);
    expect(server.folders.get("INBOX")?.map(({ raw }) => raw)).toEqual(["left\r\n", "new\r\n"]);
    expect((await (await open()).list()).length).toBe(1);
  });

  test("marks what is filed already, where the folder that is read is the one for filed mail", async () => {
    setUp(["one\r\n", "two\r\n"]);
    server.folders.set("Postrider", server.folders.get("INBOX") ?? []);
    const session = await open("secret", "Postrider");
    for (const mail of await session.list()) await session.file(mail);
    expect(await session.list()).toEqual([]);
    expect(server.folders.get("Postrider")?.map(({ raw, flags }) => [raw, [...flags]])).toEqual([
      ["one\r\n", ["$Postrider"]],
      ["two\r\n", ["$Postrider"]],
    ]);
    expect(await (await open("secret", "Postrider")).list()).toEqual([]);
  });

  test("marks what it may not move, and remembers what it may not mark", async () => {
    setUp(["one\r\n", "two\r\n"]);
    server.onCommand((command) => (/MOVE/.test(command) ? { say: "TAG NO not allowed\r\n" } : undefined));
    const session = await open();
    const [one] = await session.list();
    await session.file(present(one, "mail"));
    expect(server.folders.get("INBOX")?.[0]?.flags.has("$Postrider")).toBeTrue();
    server.permanentFlags = "\\Seen \\Deleted";
    server.capabilities = "IMAP4rev1 IDLE";
    const poorer = await open();
    const found = await poorer.list();
    expect(found.length).toBe(2);
    await poorer.file(present(found[0], "mail"));
    expect((await poorer.list()).length).toBe(1);
  });

  test("is told of new mail while it waits, and of mail that came before it waited", async () => {
    setUp();
    const session = await open();
    expect(await session.list()).toEqual([]);
    const idling = server.idle();
    const waited = present(session.wait, "wait")();
    await idling;
    server.deliver("new\r\n");
    await waited;
    expect((await session.list()).length).toBe(1);
  });

  test("looks again after five minutes where nobody tells it", async () => {
    setUp();
    const session = await open();
    await session.list();
    const idling = server.idle();
    const waited = present(session.wait, "wait")();
    await idling;
    clock.advance(5 * 60_000);
    await waited;
  });

  test("reads no more than the first MiB of a mail", async () => {
    setUp([`${"x".repeat(998)}\r\n`.repeat(3000)]);
    const session = await open();
    const [mail] = await session.list();
    expect(textOf(await session.read(present(mail, "mail"))).length).toBe(READ_BYTES_MAX);
  });

  test("gives up a server that announces more than it was asked for", async () => {
    setUp(["x\r\n"]);
    server.onCommand((command) =>
      /FETCH/.test(command) ? { say: "* 1 FETCH (UID 1 BODY[]<0> {4000000000}\r\n" } : undefined,
    );
    const session = await open();
    const [mail] = await session.list();
    expect(await session.read(present(mail, "mail")).catch((error: unknown) => error)).toBeInstanceOf(
      MailboxTrouble,
    );
  });

  test("passes over a mail that another reader took away meanwhile, however the server says so", async () => {
    for (const gone of ["* 1 FETCH (UID 1 BODY[]<0> NIL)\r\nTAG OK done\r\n", "TAG OK done\r\n"]) {
      setUp(["gone\r\n", "next\r\n"]);
      server.onCommand((command) => (/FETCH 1 /.test(command) ? { say: gone } : undefined));
      const session = await open();
      const [one, two] = await session.list();
      expect(await session.read(present(one, "mail"))).toBeNull();
      expect(textOf(await session.read(present(two, "mail")))).toBe("next\r\n");
      expect((await session.list()).map(({ id }) => id)).toEqual(["2"]);
      await session.close();
      server.stop();
    }
  });

  test("knows a refused password from a server that is away, and never repeats it", async () => {
    setUp();
    const refused = (await open("wrong-password").catch((error: unknown) => error)) as MailboxTrouble;
    expect(refused).toBeInstanceOf(MailboxTrouble);
    expect(refused.kind).toBe("login");
    expect(refused.message).not.toContain("wrong-password");
    server.onCommand((command) =>
      command.startsWith("LOGIN") ? { say: `TAG NO [AUTHENTICATIONFAILED] no: ${command}\r\n` } : undefined,
    );
    const repeated = (await open("wrong-password").catch((error: unknown) => error)) as MailboxTrouble;
    expect(repeated.message).toMatch(/no: LOGIN \S+ "?\*\*\*"?$/);
    const address = addressOf();
    server.stop();
    const away = (await mailboxOpener(clock)(address).catch((error: unknown) => error)) as MailboxTrouble;
    expect(away.kind).toBe("connection");
    expect(away.message).toContain("ECONNREFUSED");
  });

  test("reports a lost connection at whatever it was doing", async () => {
    for (const at of [/SEARCH/, /FETCH/, /MOVE/, /STORE/, /IDLE/]) {
      setUp(["one\r\n", "two\r\n"]);
      server.onCommand((command) => (at.test(command) ? "cut" : undefined));
      const session = await open();
      const lost = (async () => {
        const [one, two] = await session.list();
        await session.read(present(one, "mail"));
        await session.file(present(one, "mail"));
        await session.leave(present(two, "mail"));
        await present(session.wait, "wait")();
        await session.list();
      })();
      expect(await lost.catch((error: unknown) => error)).toBeInstanceOf(MailboxTrouble);
      await session.close();
      server.stop();
    }
  });

  test("demands TLS before it shows the password to another machine", () => {
    setUp();
    expect(unwrap(parseMailboxUrl("imap://u:p@imap.example.com/")).requireTls).toBeTrue();
    expect(unwrap(parseMailboxUrl("pop3://u:p@pop.example.com")).requireTls).toBeTrue();
    expect(addressOf().requireTls).toBeFalse();
  });
});
