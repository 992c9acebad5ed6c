/** Mailboxes that begin in the clear and go over to TLS, by STLS and STARTTLS. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { certificateFile, certificateOf } from "../support/server/certificates.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";
import { startPop3Server } from "../support/inbound/pop3-server.ts";
import { imapWay, pop3Way, startTlsFront, type TlsFront } from "../support/server/tls-front.ts";

const CHILD = join(import.meta.dir, "../support/inbound/mailbox-child.ts");
const MAIL = "Subject: Undelivered\r\n\r\nNobody here.\r\n";
const PASSWORD = "correct-horse";

type Behind = { readonly commands: readonly string[]; readonly port: number; stop(): void };

/** A server with one mail, speaking TLS from the first byte. POP3 greets once, and the front has done it. */
const BEHIND = {
  imap(certificate: "localhost" | "hook") {
    const server = startImapServer(certificateOf(certificate));
    server.password = PASSWORD;
    server.deliver(MAIL);
    return server;
  },
  pop3(certificate: "localhost" | "hook") {
    const server = startPop3Server(certificateOf(certificate));
    server.password = PASSWORD;
    server.greeting = "";
    server.mails.set("1", MAIL);
    return server;
  },
} satisfies Record<string, (certificate: "localhost" | "hook") => Behind>;

const WAYS = { imap: imapWay, pop3: pop3Way };
/** The answer that goes over to TLS, and with it, in the same packet, what somebody on the way has put behind it. */
const INJECTED = {
  imap: "OK begin\r\n* PREAUTH [CAPABILITY IMAP4rev1] welcome\r\n",
  pop3: "+OK begin\r\n+OK user\r\n+OK pass\r\n+OK\r\n1 forged\r\n.\r\n",
};
const REFUSAL = { imap: "NO not now\r\n", pop3: "-ERR not now\r\n" };

let open: { stop(): void }[] = [];
beforeEach(() => void (open = []));
afterEach(() => open.forEach((server) => server.stop()));

function serve(protocol: "imap" | "pop3", answer?: string, certificate: "localhost" | "hook" = "localhost") {
  const behind: Behind = BEHIND[protocol](certificate);
  const front = startTlsFront(WAYS[protocol](answer), behind.port);
  open.push(front, behind);
  return { behind, front, url: `${protocol}://bounces:${PASSWORD}@localhost:${front.port}` };
}

/** What a process finds there that trusts this certificate. */
async function found(url: string, trusted: "localhost" | "hook"): Promise<unknown> {
  const child = Bun.spawn([process.execPath, CHILD, url], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile(trusted) },
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** By IMAP nothing but an attack looks so: the connection is given up. By POP3 the words are dropped. */
const refused = ({ port }: TlsFront) => ({
  trouble: `MailboxTrouble: localhost:${port} cannot be read: STARTTLS_INJECTION`,
});

const saw = ({ lines }: TlsFront): string => lines.join("\n");

describe.each(["imap", "pop3"] as const)("a mailbox by %s that begins in the clear", (protocol) => {
  test("is read over TLS; the user and the password never cross in the clear", async () => {
    const { front, behind, url } = serve(protocol);
    expect(await found(url, "localhost")).toEqual({ mails: [MAIL] });
    expect(saw(front)).toMatch(/(?:STLS|STARTTLS)$/);
    expect(saw(front)).not.toMatch(/bounces|correct-horse|LOGIN|AUTH|USER|PASS/);
    expect(behind.commands.join(" ")).toMatch(/LOGIN|PASS/);
  });

  test("what somebody put in the clear behind the answer to going over is not believed", async () => {
    const { front, behind, url } = serve(protocol, INJECTED[protocol]);
    expect(await found(url, "localhost")).toEqual(protocol === "pop3" ? { mails: [MAIL] } : refused(front));
    expect([saw(front).includes("bounces"), behind.commands]).toEqual([
      false,
      protocol === "pop3" ? ["USER bounces", "PASS", "UIDL", "RETR 1", "QUIT"] : [],
    ]);
  });

  test("a certificate that is trusted, but for another name, gets no password", async () => {
    const { front, behind, url } = serve(protocol, undefined, "hook");
    expect(await found(url, "hook")).toEqual({
      trouble: `MailboxTrouble: localhost:${front.port} cannot be read: its certificate is for another name`,
    });
    expect([saw(front).includes("bounces"), behind.commands]).toEqual([false, []]);
  });

  test("a certificate that nobody vouches for gets no password", async () => {
    const { front, behind, url } = serve(protocol);
    const address = { ...unwrap(parseMailboxUrl(url)), requireTls: true };
    const error = await mailboxOpener(systemClock)(address).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "MailboxTrouble",
      kind: "connection",
      message: expect.stringContaining("its certificate is signed by nobody this machine trusts"),
    });
    expect([saw(front).includes("bounces"), behind.commands]).toEqual([false, []]);
  });

  test("a server that does not go over gets no password", async () => {
    const { front, behind, url } = serve(protocol, REFUSAL[protocol]);
    const address = { ...unwrap(parseMailboxUrl(url)), requireTls: true };
    const error = await mailboxOpener(systemClock)(address).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "MailboxTrouble", kind: "connection" });
    expect(String(error)).not.toContain(PASSWORD);
    expect([saw(front).includes("bounces"), behind.commands]).toEqual([false, []]);
  });
});

test("a mailbox on this machine is read whatever its certificate, as it is read in the clear", async () => {
  const { behind, url } = serve("imap");
  const session = await mailboxOpener(systemClock)(unwrap(parseMailboxUrl(url)));
  const [mail] = await session.list();
  expect(Buffer.from((await session.read(present(mail, "mail"))) as Uint8Array).toString()).toBe(MAIL);
  await session.close();
  expect(behind.commands.join(" ")).toContain("LOGIN");
});
