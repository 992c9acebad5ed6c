import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startInboundSmtp, startMailboxes } from "#app/inbound.ts";
import { readMail } from "#bounces/read-mail.ts";
import { reportAbout } from "#bounces/report.ts";
import { systemClock } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { present } from "#core/present.ts";
import { createLog } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay-address.ts";
import { smtpSession } from "#mail/smtp/smtp-session.ts";
import { BOUNCES } from "../support/corpora.ts";
import { seededRandom } from "../support/dice.ts";
import { startImapServer } from "../support/imap-server.ts";
import { BOUNCE_DOMAIN, sendTo, type SentMessage } from "../support/reports.ts";
import { startSending, type SendingApi } from "../support/sending.ts";

const expected: Record<string, { hardbounce: boolean }[]> = JSON.parse(
  readFileSync(`${BOUNCES}/expected.json`, "utf8"),
);
const FILES = Object.keys(expected);
const world = {
  clock: systemClock,
  random: seededRandom(1),
  log: createLog({ level: "error", format: "json", clock: systemClock, write: () => undefined }),
};

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, {
    bounceDomain: BOUNCE_DOMAIN,
    autoPause: false,
  });
});
afterAll(() => api.stop());

/** A message of its own for each mail of the corpus. */
async function messages(name: string): Promise<SentMessage[]> {
  const addresses = FILES.map((_, index) => `${name}-${index}@example.com`);
  const { sent } = await sendTo(api, addresses);
  return addresses.map((address) => present(sent.get(address), "message"));
}

/** What each mail of the corpus did to the person whose message it came back for. */
async function statuses(sent: readonly SentMessage[]): Promise<Record<string, string>> {
  const found = sent.map(async ({ email }, index) => {
    const { body } = await api.call("GET", `/contacts?q=${email}`);
    return [present(FILES[index], "file"), body.data[0].status as string] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const STATUS: Readonly<Record<string, string | undefined>> = { hard: "BOUNCED", complaint: "UNSUBSCRIBED" };

/** What the rule says of a mail for somebody whom it does not name. */
async function ruled(): Promise<Record<string, string>> {
  const found = FILES.map(async (file) => {
    const { reports, clues } = await readMail(readFileSync(`${BOUNCES}/${file}`));
    const kind = clues.isAboutReport ? undefined : reportAbout(reports, "nobody@example.com")?.kind;
    return [file, STATUS[kind ?? ""] ?? "SUBSCRIBED"] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

function expectNobodyFalselyBounced(found: Readonly<Record<string, string>>): void {
  const bounced = Object.entries(found).filter(([, status]) => status === "BOUNCED");
  const wrong = bounced.filter(([file]) => expected[file]?.some(({ hardbounce }) => hardbounce) !== true);
  expect(wrong).toEqual([]);
  expect(bounced.length).toBeGreaterThan(40);
}

test("all real bounce mails over SMTP do what the rule says, and bounce nobody falsely", async () => {
  const sent = await messages("smtp");
  const server = await startInboundSmtp(api.services, world, {
    address: { host: "127.0.0.1", port: 0 },
    tls: null,
    baseUrl: "https://mail.example.org",
  });
  const relay = present(unwrap(parseRelayUrls(`smtp://127.0.0.1:${server.port}`))[0], "relay");
  for (let from = 0; from < FILES.length; from += 50) {
    const session = smtpSession(relay, systemClock);
    expect(await session.open()).toBeNull();
    for (let at = from; at < Math.min(from + 50, FILES.length); at++) {
      const mail = readFileSync(`${BOUNCES}/${FILES[at]}`, "latin1");
      const offer = await session.offer(
        { from: "mailer@mx.example.net", to: present(sent[at], "message").sender },
        mail,
      );
      if (!offer.ok) throw new Error(`${FILES[at]} is not taken`);
      expect([FILES[at], await offer.finish()]).toMatchObject([FILES[at], { reply: { code: 250 } }]);
    }
    await session.close();
  }
  await server.close();
  const found = await statuses(sent);
  expect(found).toEqual(await ruled());
  expectNobodyFalselyBounced(found);
}, 120_000);

test("and so they do from a mailbox, which is empty afterwards", async () => {
  const sent = await messages("mailbox");
  const mailbox = startImapServer();
  for (const [index, file] of FILES.entries()) {
    const mail = readFileSync(`${BOUNCES}/${file}`, "latin1");
    mailbox.deliver(`Delivered-To: ${present(sent[index], "message").sender}\r\n${mail}`);
  }
  const bounceMailbox = `imap://bounces:secret@127.0.0.1:${mailbox.port}/INBOX`;
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceMailbox });
  const idling = mailbox.idle();
  const mailboxes = startMailboxes(api.services, world);
  await idling;
  await mailboxes.stop(10_000);
  mailbox.stop();
  const found = await statuses(sent);
  expect(found).toEqual(await ruled());
  expectNobodyFalselyBounced(found);
  const left = mailbox.folders.get("INBOX") ?? [];
  expect(left.every(({ flags }) => flags.has("$Postrider"))).toBeTrue();
  expect((mailbox.folders.get("Postrider")?.length ?? 0) + left.length).toBe(FILES.length);
}, 120_000);
