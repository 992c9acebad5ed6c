import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { startInboundSmtp, startMailboxes } from "#app/inbound.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import {
  corpus,
  expectGoodJudgment,
  messagesForCorpus,
  ruledStatuses,
  statusesAfter,
  unreadable,
} from "../support/inbound/bounce-corpus.ts";
import { seededRandom } from "../support/common/dice.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";
import { startPop3Server } from "../support/inbound/pop3-server.ts";
import { eventually } from "../support/common/eventually.ts";
import { BOUNCE_DOMAIN, type SentMessage } from "../support/inbound/reports.ts";
import { numberOf, startSending, type SendingApi } from "../support/sending/sending.ts";
import { writeTo } from "../support/server/services.ts";

const world = {
  clock: systemClock,
  random: seededRandom(1),
  log: SILENT_LOG,
};

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, {
    bounceDomain: BOUNCE_DOMAIN,
    autoPause: false,
  });
});
beforeEach(() => writeTo(api, "DELETE FROM unread_mails"));
afterAll(() => api.stop());

/** The same for every way by which a mail comes in. */
function expectAllTaken(sent: readonly SentMessage[]): void {
  const found = statusesAfter(api, sent);
  expect(found).toEqual(ruledStatuses());
  expectGoodJudgment(found);
  expect(unreadable.length).toBeGreaterThan(0);
  expect(numberOf(api, "SELECT count(*) AS n FROM unread_mails")).toBe(unreadable.length);
}

/** As a mail server leaves it in a mailbox: it says where it was delivered to. */
const asDelivered = (sent: readonly SentMessage[], index: number): string =>
  `Delivered-To: ${present(sent[index], "message").sender}\r\n${present(corpus[index], "mail").raw.toString("latin1")}`;

/** Reads the workspace's mailbox until `isRead` resolves. */
async function readMailbox(bounceMailbox: string, isRead: Promise<void>): Promise<void> {
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceMailbox });
  const mailboxes = startMailboxes(api.services, world);
  await isRead;
  await mailboxes.stop(10_000);
}

test("all real bounce mails over SMTP do what the rule says, and bounce nobody falsely", async () => {
  const sent = await messagesForCorpus(api, "smtp");
  const server = await startInboundSmtp(api.services, world, {
    address: { host: "127.0.0.1", port: 0 },
    tls: null,
    baseUrl: "https://mail.example.org",
  });
  const relay = present(unwrap(parseRelayUrls(`smtp://127.0.0.1:${server.port}`))[0], "relay");
  for (let from = 0; from < corpus.length; from += 50) {
    const session = smtpSession(relay, systemClock);
    expect(await session.open()).toBeNull();
    for (const [index, { file, raw }] of corpus.slice(from, from + 50).entries()) {
      const to = present(sent[from + index], "message").sender;
      const offer = await session.offer({ from: "mailer@mx.example.net", to }, raw.toString("latin1"));
      if (!offer.ok) throw new Error(`${file} is not taken`);
      expect([file, await offer.finish()]).toMatchObject([file, { reply: { code: 250 } }]);
    }
    await session.close();
  }
  await server.close();
  expectAllTaken(sent);
});

test("and so they do from a mailbox by IMAP, which has nothing new afterwards", async () => {
  const sent = await messagesForCorpus(api, "imap");
  const mailbox = startImapServer();
  for (const index of corpus.keys()) mailbox.deliver(asDelivered(sent, index));
  await readMailbox(`imap://bounces:secret@127.0.0.1:${mailbox.port}/INBOX`, mailbox.idle());
  mailbox.stop();
  expectAllTaken(sent);
  const left = mailbox.folders.get("INBOX") ?? [];
  expect(left.every(({ flags }) => flags.has("$Postrider"))).toBeTrue();
  expect((mailbox.folders.get("Postrider")?.length ?? 0) + left.length).toBe(corpus.length);
});

test("and so they do from a mailbox by POP3, which has none of them left", async () => {
  const sent = await messagesForCorpus(api, "pop3");
  const mailbox = startPop3Server();
  for (const [index, { file }] of corpus.entries()) mailbox.mails.set(file, asDelivered(sent, index));
  const isRead = eventually(() => mailbox.commands.includes("QUIT") && mailbox.clients === 0);
  await readMailbox(`pop3://bounces:secret@127.0.0.1:${mailbox.port}`, isRead);
  mailbox.stop();
  expectAllTaken(sent);
  expect([...mailbox.mails.keys()]).toEqual([]);
});
