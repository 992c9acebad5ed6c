/** Mailboxes by TLS. Which certificates are trusted is settled when a process starts, so some tests start their own. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Finding } from "#doctor/finding.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble } from "#mail/mailbox/mailbox.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { certificateFile, certificateOf } from "../support/server/certificates.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";
import { startPop3Server } from "../support/inbound/pop3-server.ts";
import { postrider, postriderProcess, temporaryDirectory } from "../support/server/postrider.ts";

const STARTS = { imaps: startImapServer, pop3s: startPop3Server } as const;
const NOBODYS = "its certificate is signed by nobody this machine trusts";

const home = temporaryDirectory();
const made = postrider(home.path, ["workspace", "create", "--name", "Ada's"]);
afterAll(() => home.remove());

let server: ReturnType<(typeof STARTS)[keyof typeof STARTS]>;
afterEach(() => server.stop());

const urlOf = (scheme: keyof typeof STARTS, host: string): string =>
  `${scheme}://bounces:correct-horse@${host}:${server.port}`;

/** What \`doctor\` says of the mailbox, run with these certificates trusted besides the usual ones. */
async function examined(url: string, trusted: string): Promise<Finding | undefined> {
  expect((await made).code).toBe(0);
  await postrider(home.path, ["settings", "set", `bounceMailbox=${url}`]);
  const { out } = await postriderProcess(home.path, ["doctor", "--json"], { NODE_EXTRA_CA_CERTS: trusted });
  expect(out).not.toContain("correct-horse");
  return (JSON.parse(out) as Finding[]).find(({ id }) => id === "mailbox");
}

describe.each(["imaps", "pop3s"] as const)("a mailbox by %s", (scheme) => {
  test.each(["localhost", "127.0.0.1"])(
    "whose certificate nobody vouches for is refused in one clear sentence, before it sees the password: %s",
    async (host) => {
      server = STARTS[scheme](certificateOf("localhost"));
      const address = unwrap(parseMailboxUrl(urlOf(scheme, host)));
      const error = await mailboxOpener(systemClock)(address).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MailboxTrouble);
      expect(error).toMatchObject({ kind: "connection", message: expect.stringContaining(NOBODYS) });
      expect(server.commands).toEqual([]);
    },
  );

  test.each(["localhost", "127.0.0.1"])(
    "is read where NODE_EXTRA_CA_CERTS names the signer's certificate: %s",
    async (host) => {
      server = STARTS[scheme](certificateOf("localhost"));
      server.password = "correct-horse";
      const found = await examined(urlOf(scheme, host), certificateFile("localhost"));
      expect(found).toMatchObject({ result: "ok", message: "it can be read" });
    },
  );

  test("whose certificate is trusted, but for another name, is refused", async () => {
    server = STARTS[scheme](certificateOf("hook"));
    const found = await examined(urlOf(scheme, "localhost"), certificateFile("hook"));
    expect(found).toMatchObject({
      result: "fail",
      message: `bounces are not read: localhost:${server.port} cannot be read: its certificate is for another name`,
    });
    expect(server.commands).toEqual([]);
  });
});
