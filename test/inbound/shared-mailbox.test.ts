/** Workspaces of one company often have one mailbox: that of the domain that all their reports come to. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startMailboxes } from "#app/inbound.ts";
import { systemClock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { seededRandom } from "../support/common/dice.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";
import { startPop3Server } from "../support/inbound/pop3-server.ts";
import { BOUNCE_DOMAIN, dsn, plainMail, sendTo, serverMail } from "../support/inbound/reports.ts";
import { suppressions } from "../support/people/people.ts";
import { eventually } from "../support/common/eventually.ts";
import { headerOf, SENDER, startSending, type SendingApi } from "../support/sending/sending.ts";
import { inNewWorkspace } from "../support/server/api.ts";

const world = {
  clock: systemClock,
  random: seededRandom(1),
  log: SILENT_LOG,
};

let service: SendingApi;
let brands: readonly SendingApi[] = [];
beforeAll(async () => {
  service = await startSending();
});
beforeEach(async () => {
  brands = [await inNewWorkspace(service), await inNewWorkspace(service)];
  await set(SENDER);
});
afterAll(() => service.stop());

/** A person with one message of the brand. */
async function mailed(api: SendingApi, email: string) {
  const { sent } = await sendTo(api, [email]);
  return present(sent.get(email), "message");
}

const set = async (settings: object): Promise<void> => {
  for (const { workspaceId } of brands)
    await service.services.workspaces.changeSettings(workspaceId, settings);
};

/** Reads all of these mails in a mailbox of every brand, and returns those that are left. */
async function read(mails: readonly Uint8Array[]): Promise<string[]> {
  const mailbox = startPop3Server();
  for (const [index, raw] of mails.entries())
    mailbox.mails.set(String(index), Buffer.from(raw).toString("latin1"));
  const port = mailbox.port;
  const [one, two] = brands;
  // One mailbox, though its URL is written in two ways.
  const urls = [`pop3://bounces:secret@127.0.0.1:${port}`, `pop3://bounces:secret@127.0.0.1:${port}/`];
  for (const [index, api] of [one, two].entries())
    await service.services.workspaces.changeSettings(present(api, "brand").workspaceId, {
      bounceMailbox: present(urls[index], "URL"),
    });
  const reading = startMailboxes(service.services, world);
  await eventually(() => mailbox.commands.includes("QUIT") && mailbox.clients === 0);
  await reading.stop(10_000);
  mailbox.stop();
  expect(mailbox.commands.filter((command) => command === "QUIT")).toHaveLength(1);
  await set({ bounceMailbox: "" });
  return [...mailbox.mails.keys()];
}

const deliveredTo = (address: string, raw: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`Delivered-To: ${address}\r\n`), raw]);

const suppressed = () => Promise.all(brands.map((api) => suppressions(api)));

describe("a mailbox that two workspaces have is read once, for both:", () => {
  test("bounces and opt-outs at the tokens of either count", async () => {
    await set({ bounceDomain: BOUNCE_DOMAIN, bounceMailbox: "pop3://ada:secret@127.0.0.1:1" });
    const mails: Buffer[] = [];
    for (const api of brands) {
      const left = await mailed(api, "leaver@example.com");
      const field = headerOf(left.raw, "List-Unsubscribe")?.replaceAll(/\s+/g, " ") ?? "";
      mails.push(
        deliveredTo(/<mailto:([^?>]+)\?/.exec(field)?.[1] ?? "", plainMail("unsubscribe", "")),
        deliveredTo((await mailed(api, "dead@example.com")).sender, dsn()),
      );
    }
    expect(await read(mails)).toEqual([]);
    const both = { "leaver@example.com": "UNSUBSCRIBED", "dead@example.com": "HARD_BOUNCE" };
    expect(await suppressed()).toEqual([both, both]);
  });

  test("so do those that return the Message-ID or Feedback-ID of either", async () => {
    const mails: Buffer[] = [];
    for (const api of brands) {
      const [byId, bySource] = [await mailed(api, "id@example.com"), await mailed(api, "source@example.com")];
      const feedbackId = headerOf(bySource.raw, "Feedback-ID")?.trim();
      mails.push(
        dsn({ returned: `Message-ID: ${headerOf(byId.raw, "Message-ID")?.trim()}\n` }),
        dsn({ returned: `Feedback-ID: ${feedbackId}\n`, recipient: bySource.email }),
      );
    }
    expect(await read(mails)).toEqual([]);
    const both = { "id@example.com": "HARD_BOUNCE", "source@example.com": "HARD_BOUNCE" };
    expect(await suppressed()).toEqual([both, both]);
  });

  test("the recipient alone decides where only one message of both went there", async () => {
    const [one, two] = brands as [SendingApi, SendingApi];
    await mailed(one, "one@example.com");
    await mailed(two, "two@example.com");
    for (const api of brands) await mailed(api, "both@example.com");
    // Neither can the message of the second be meant where two of the first went there.
    for (const api of [one, one, two]) await mailed(api, "often@example.com");
    const recipients = ["one", "two", "both", "often"].map((name) => `${name}@example.com`);
    expect(await read(recipients.map((recipient) => dsn({ recipient })))).toEqual([]);
    expect(await suppressed()).toEqual([
      { "one@example.com": "HARD_BOUNCE" },
      { "two@example.com": "HARD_BOUNCE" },
    ]);
  });

  test("what anybody could have written counts for the one without bounceDomain only", async () => {
    const [one, two] = brands as [SendingApi, SendingApi];
    await service.services.workspaces.changeSettings(two.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
    for (const api of brands) await mailed(api, "both@example.com");
    await mailed(two, "two@example.com");
    const mails = ["both@example.com", "two@example.com"].map((recipient) => dsn({ recipient }));
    expect(await read(mails)).toEqual([]);
    expect(await suppressions(one)).toEqual({ "both@example.com": "HARD_BOUNCE" });
    expect(await suppressions(two)).toEqual({});
  });

  test("what cannot be read is kept for each, and a person's mail is left", async () => {
    expect(await read([serverMail("Undeliverable", "Es ging schief."), plainMail("Hello", "Hi")])).toEqual([
      "1",
    ]);
    for (const api of brands)
      expect((await api.call("GET", "/bounces")).body.data).toMatchObject([{ subject: "Undeliverable" }]);
  });
});

test("readers that do not know that they have one mailbox leave each other the reports with a token or Message-ID", async () => {
  const [one, two] = brands as [SendingApi, SendingApi];
  await service.services.workspaces.changeSettings(one.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  const [byToken, byId] = [await mailed(one, "token@example.com"), await mailed(two, "id@example.com")];
  const mailbox = startImapServer();
  for (const raw of [
    deliveredTo(byToken.sender, dsn()),
    dsn({ returned: `Message-ID: ${headerOf(byId.raw, "Message-ID")?.trim()}\n` }),
  ])
    mailbox.deliver(Buffer.from(raw).toString("latin1"));
  const readAs = async (user: string, { workspaceId }: SendingApi, port = mailbox.port) =>
    service.services.workspaces.changeSettings(workspaceId, {
      bounceMailbox: `imap://${user}:secret@127.0.0.1:${port}/INBOX`,
    });
  const untilRead = async (isRead: Promise<void>) => {
    const reading = startMailboxes(service.services, world);
    await isRead;
    await reading.stop(10_000);
  };
  await readAs("bounces", one);
  await readAs("Bounces", two, 1);
  await untilRead(mailbox.idle());
  // The server takes the user's name in any letters.
  await readAs("Bounces", two);
  await untilRead(eventually(() => mailbox.folders.get("INBOX")?.length === 0));
  mailbox.stop();
  await set({ bounceMailbox: "" });
  expect(await suppressed()).toEqual([
    { "token@example.com": "HARD_BOUNCE" },
    { "id@example.com": "HARD_BOUNCE" },
  ]);
});
