import { afterEach, describe, expect, test } from "bun:test";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { present } from "#core/present.ts";
import { Relay } from "#mail/smtp/relay/relay.ts";
import { chain, live, settled } from "../../support/automations/automations.ts";
import { PEM, pemOf, verdictsOn } from "../../support/sending/dkim.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { scriptedSmtp, type Script } from "../../support/sending/scripted-smtp.ts";
import {
  drivenUntil,
  headerOf,
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { outcomes, post } from "../../support/server/transactional.ts";

const DOMAIN = "example.org";
let api: FormsApi;
/** What each test stops at its end. */
let running: SendingApi;
let file: string;

/** The sender is news@shop.example.org: a domain above it signs. */
async function start(change: { pem?: string | null; dkimDomain?: string } = {}): Promise<void> {
  const { pem = PEM, dkimDomain = DOMAIN } = change;
  running = api = await startForms({ doubleOptIn: true });
  file = `${api.dataDir}/key.pem`;
  if (pem !== null) writeFileSync(file, pem);
  await api.services.workspaces.changeSettings(api.workspaceId, {
    dkimDomain,
    dkimSelector: "s1",
    dkimPrivateKeyFile: file,
  });
}
afterEach(() => running.stop({ graceMs: 0 }));

const verdicts = () => Promise.all(api.relay.accepted.map(({ raw }) => verdictsOn(raw, DOMAIN, "s1")));
const campaignTo = async (who: number | string[]): Promise<string> =>
  makeCampaign(api, (await makeAudience(api, who)).listId, { subject: "Frühling für alle" });

describe("a workspace with a DKIM key", () => {
  test("signs its campaigns, requests and confirmations, and others find the signatures good", async () => {
    await start();
    await send(api, await campaignTo(20));
    expect(api.relay.accepted).toHaveLength(20);
    expect((await post(api, { to: ["ada@example.com", "linus@example.com"] })).status).toBe(200);
    const form = await newForm(api);
    await api.submit(form.id, { email: "grace@example.com" });
    await eventually(() => api.relay.accepted.length === 23);
    expect(api.relay.accepted.at(-1)!.rcptTo).toEqual(["grace@example.com"]);
    expect(await verdicts()).toEqual(Array.from({ length: 23 }, () => [`pass ${DOMAIN}`]));
  });

  test("signs with the new key once its file changed", async () => {
    await start({ pem: pemOf(2048) });
    await post(api);
    writeFileSync(file, PEM);
    utimesSync(file, 1, 1);
    await post(api);
    expect(await verdicts()).toEqual([[`fail ${DOMAIN}`], [`pass ${DOMAIN}`]]);
  });
});

describe("nothing goes out unsigned", () => {
  test.each<readonly [string, Parameters<typeof start>[0], string]>([
    ["without its key's file", { pem: null }, "cannot be read"],
    ["with a key that is too short", { pem: pemOf(1024) }, "has only 1024 bits"],
    ["with a file that holds no key", { pem: "ada" }, "cannot be read as a key"],
    ["where the domain is not the sender's", { dkimDomain: "example.com" }, "or a domain above it"],
  ])("%s: the report says why, and it goes on once that is mended", async (_, change, why) => {
    await start(change);
    const id = await campaignTo(3);
    await send(api, id);
    expect((await reportOf(api, id)).blocked).toContain(why);
    expect(api.relay.transactions).toBe(0);
    writeFileSync(file, PEM);
    utimesSync(file, 1, 1);
    await api.services.workspaces.changeSettings(api.workspaceId, { dkimDomain: DOMAIN });
    expect((await send(api, id)).body.data.sent).toBe(3);
    expect(await verdicts()).toEqual([[`pass ${DOMAIN}`], [`pass ${DOMAIN}`], [`pass ${DOMAIN}`]]);
  });

  test.each([
    ["without its key's file", null, "cannot be read"],
    ["with a key that is too short", pemOf(1024), "has only 1024 bits"],
  ])("%s a request is refused at once, and its key stays free", async (_, pem, why) => {
    await start({ pem });
    const refused = await post(api, {}, "k");
    expect([refused.status, refused.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(refused.body.error.message).toContain(why);
    expect(api.relay.connections).toBe(0);
    writeFileSync(file, PEM);
    utimesSync(file, 1, 1);
    expect(outcomes(await post(api, {}, "k"))).toEqual(["ada@example.com SENT"]);
    expect(await verdicts()).toEqual([[`pass ${DOMAIN}`]]);
  });

  test("with a pipe in the place of its key a request is refused, and waits for nobody", async () => {
    await start({ pem: null });
    Bun.spawnSync(["mkfifo", file]);
    const refused = await post(api);
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toContain(`${file} cannot be read (it is no regular file)`);
  });

  test("also where the key's file goes away between two sends", async () => {
    await start();
    await send(api, await campaignTo(2));
    rmSync(file);
    await send(api, await campaignTo(["ada@example.com"]));
    const form = await newForm(api);
    await api.submit(form.id, { email: "grace@example.com" });
    expect(api.relay.accepted.every(({ raw }) => headerOf(raw, "DKIM-Signature") !== undefined)).toBe(true);
    expect([api.relay.accepted.length, api.relay.transactions]).toEqual([2, 2]);
  });
});

test("where the relay refuses some, each of the others gets one signed message", async () => {
  const on: Script = { RCPT: ({ message }) => (message % 60 === 0 ? "550 5.1.1 nobody here" : undefined) };
  const signing = (running = await startSending(on));
  const keyFile = `${signing.dataDir}/key.pem`;
  writeFileSync(keyFile, PEM);
  const dkim = { dkimDomain: DOMAIN, dkimSelector: "s1", dkimPrivateKeyFile: keyFile };
  await signing.services.workspaces.changeSettings(signing.workspaceId, dkim);
  const { listId } = await makeAudience(signing, 300);
  const { body } = await send(signing, await makeCampaign(signing, listId));
  expect(body.data).toEqual({ sent: 295, failed: 5, remaining: 0, complete: true });
  const { accepted, transactions } = signing.relay;
  expect([accepted.length, transactions]).toEqual([295, 300]);
  expect(new Set(accepted.map(({ rcptTo }) => rcptTo[0])).size).toBe(295);
  const signed = await Promise.all(accepted.map(({ raw }) => verdictsOn(raw, DOMAIN, "s1")));
  expect(new Set(signed.flat())).toEqual(new Set([`pass ${DOMAIN}`]));
});

test("a signature fits the relay that its message goes out by, also where another takes over", async () => {
  const signing = (running = await startSending());
  const ses = scriptedSmtp({ on: { MAIL: ({ message }) => (message > 3 ? "452 4.3.1 Full" : undefined) } });
  const real = present(Object.getOwnPropertyDescriptor(Relay.prototype, "host"), "getter");
  const get = function (this: Relay): string {
    return this.label.endsWith(`:${ses.port}`) ? "email-smtp.eu-west-1.amazonaws.com" : "smtp.example.net";
  };
  Object.defineProperty(Relay.prototype, "host", { ...real, get });
  try {
    const keyFile = `${signing.dataDir}/key.pem`;
    writeFileSync(keyFile, PEM);
    await signing.services.workspaces.changeSettings(signing.workspaceId, {
      smtpUrl: `${ses.url}?maxConnections=1 ${signing.relay.url}`,
      dkimDomain: DOMAIN,
      dkimSelector: "s1",
      dkimPrivateKeyFile: keyFile,
    });
    const { listId } = await makeAudience(signing, 30);
    await send(signing, await makeCampaign(signing, listId));
  } finally {
    Object.defineProperty(Relay.prototype, "host", real);
    ses.stop();
  }
  const [bySes, byOther] = [ses.accepted, signing.relay.accepted].map((mails) => mails.map(({ raw }) => raw));
  expect(bySes).toHaveLength(3);
  expect(byOther?.length).toBeGreaterThan(20);
  const replaced = (bySes ?? []).map((raw) =>
    raw
      .replace(/^Message-ID: .*$/m, "Message-ID: <1@eu-west-1.amazonses.com>")
      .replace(/^Date: .*$/m, "Date: Sun, 22 Nov 2026 08:00:00 +0000"),
  );
  for (const raw of [...replaced, ...(byOther ?? [])])
    expect(await verdictsOn(raw, DOMAIN, "s1")).toEqual([`pass ${DOMAIN}`]);
  const covers = (raw: string): string => headerOf(raw, "DKIM-Signature")?.replaceAll(/\s/g, "") ?? "";
  for (const raw of bySes ?? []) expect(covers(raw)).not.toMatch(/date|message-id/);
  for (const raw of byOther ?? []) expect(covers(raw)).toContain("date:date:message-id:");
});

test("a workspace without a DKIM domain sends as before", async () => {
  await start({ dkimDomain: "" });
  await send(api, await campaignTo(1));
  expect(headerOf(api.relay.accepted[0]!.raw, "DKIM-Signature")).toBeUndefined();
});

test("automation mail is signed too", async () => {
  const clock = manualClock();
  const flows = (running = await startSending({}, { clock }));
  const keyFile = `${flows.dataDir}/key.pem`;
  writeFileSync(keyFile, PEM);
  const { workspaces } = flows.services;
  const dkim = { dkimDomain: DOMAIN, dkimSelector: "s1", dkimPrivateKeyFile: keyFile };
  await workspaces.changeSettings(flows.workspaceId, dkim);
  const welcome = { action: "send_email", subject: "Welcome", html: "<p>Hello {{ contact.email }}</p>" };
  await live(flows, chain({ trigger: "new_subscriber" }, ["hello", "action", welcome], ["out", "end"]));
  await person(flows, "ada@example.com");
  await settled(flows, clock);
  await drivenUntil(clock, () => flows.relay.accepted.length === 1);
  expect(await verdictsOn(flows.relay.accepted[0]!.raw, DOMAIN, "s1")).toEqual([`pass ${DOMAIN}`]);
});
