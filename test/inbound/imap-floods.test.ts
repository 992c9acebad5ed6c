/** IMAP servers that talk on and on. The setting `bounceMailbox` may name any. */
import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble, type MailboxSession } from "#mail/mailbox/mailbox.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";

const MIB = 1024 * 1024;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server that says so much in lines like this one before it answers the command that matches. */
async function serve(at: RegExp, line: string, bytes: number): Promise<number> {
  const server: Server = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    const flood = (): boolean => socket.write(line.repeat(bytes / line.length));
    if (at.test("greeting")) flood();
    socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
    socket.on("data", (said: Buffer) => {
      for (const command of said.toString("latin1").split("\r\n").slice(0, -1)) {
        if (at.test(command)) flood();
        socket.write(answerTo(command));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function answerTo(command: string): string {
  const [tag = ""] = command.split(" ");
  const ok = `${tag} OK done\r\n`;
  if (command.includes("SELECT")) return `* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n${ok}`;
  return command.includes("SEARCH") ? `* SEARCH 1\r\n${ok}` : ok;
}

async function open(port: number): Promise<MailboxSession> {
  const session = await mailboxOpener(systemClock)(unwrap(parseMailboxUrl(`imap://u:p@127.0.0.1:${port}`)));
  closing.push(() => session.close());
  return session;
}

const troubleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no trouble",
    (error: unknown) => (error instanceof MailboxTrouble ? error.message : error),
  );

test.each([
  [/SEARCH/, "* SEARCH 1 2 3 4 5 6 7\r\n"],
  [/SEARCH/, "* 1 FETCH (UID 1 FLAGS ())\r\n"],
  [/greeting/, "* OK hello\r\n"],
])("a mailbox whose server sends without an end is given up (%p, %j)", async (at, line) => {
  const port = await serve(at, line, 9 * MIB);
  const listed = open(port).then((session) => session.list());
  expect(await troubleOf(listed)).toBe(`127.0.0.1:${port} cannot be read: it sends without an end`);
});

test("others have a turn after each 4 KiB of what a mailbox's server says", async () => {
  const session = await open(await serve(/SEARCH/, "* OK\r\n", MIB));
  let turns = 0;
  let counts = true;
  const count = (): void => {
    turns++;
    if (counts) setImmediate(count);
  };
  setImmediate(count);
  expect(await session.list()).toEqual([{ id: "1", key: "1 1" }]);
  counts = false;
  expect(turns).toBeGreaterThanOrEqual(MIB / 4096);
});

test("nothing is read compressed, because 8 MiB of it may be 8 GiB", async () => {
  const server = startImapServer();
  closing.push(() => server.stop());
  server.password = "p";
  server.capabilities += " COMPRESS=DEFLATE";
  server.onCommand((command) => (command.startsWith("COMPRESS") ? "cut" : undefined));
  await (await open(server.port)).list();
  expect(server.commands.join(" ")).toMatch(/LOGIN.*SEARCH/);
  expect(server.commands.join(" ")).not.toContain("COMPRESS");
});
