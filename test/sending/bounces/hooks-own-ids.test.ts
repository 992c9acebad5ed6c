/** Providers that put their own Message-ID into our mail: what their reports are known by. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import type { Provider } from "#inbound/hooks/provider.ts";
import { Relay } from "#mail/smtp/relay/relay.ts";
import { KEYS, post, signedBy } from "../../support/inbound/hooks.ts";
import { EXAMPLES } from "../../support/inbound/provider-examples.ts";
import { sendTo } from "../../support/inbound/reports.ts";
import { contactOf, suppressions } from "../../support/people/people.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, { ...KEYS, autoPause: false });
});
afterAll(() => api.stop());

let number = 0;
type Mailed = { readonly email: string; readonly raw: string };

/** One new person who got one campaign's message. */
async function mailed(): Promise<Mailed> {
  const email = `reader-${++number}@example.com`;
  return present((await sendTo(api, [email])).sent.get(email), "message");
}

/** The value of our own field. */
const ownOf = ({ raw }: Mailed): string => present(/^X-Postrider-Message: (\S+)\r$/m.exec(raw)?.[1], "field");

async function standing({ email }: Mailed) {
  const { status } = await contactOf(api, email);
  return [status, (await suppressions(api))[email] ?? null];
}

const BOUNCED = ["BOUNCED", "HARD_BOUNCE"];
const OWN = "<202611271947.12345678901@smtp-relay.mailin.fr>";

test("by the recipient", async () => {
  const take = async (event: string, { email }: Mailed) => {
    const report = { event, email, "message-id": OWN, reason: "550 5.1.1 user unknown" };
    return await post(api, "brevo", signedBy("brevo", report));
  };
  const [bounced, complained, left] = [await mailed(), await mailed(), await mailed()];
  await take("hard_bounce", bounced);
  await take("spam", complained);
  await take("unsubscribed", left);
  expect(await standing(bounced)).toEqual(BOUNCED);
  expect(await standing(complained)).toEqual(["UNSUBSCRIBED", "COMPLAINT"]);
  expect(await standing(left)).toEqual(["UNSUBSCRIBED", "UNSUBSCRIBED"]);
});

const ALWAYS_LISTS: ReadonlySet<Provider> = new Set(["sendgrid", "sparkpost"]);
const SPARKPOST_BOUNCE = { type: "bounce", bounce_class: "10", raw_reason: "550 5.1.1 user unknown" };

describe("by the field that it returns, also where somebody got two messages:", () => {
  test.each<[Provider, (own: string) => object]>([
    ["brevo", (own) => ({ "message-id": OWN, "X-Mailin-custom": own })],
    ["postmark", (postrider) => ({ Metadata: { postrider } })],
    ["postmark", (own) => ({ Content: `X-Postrider-Message: ${own}\r\nMessage-ID: ${OWN}\r\n` })],
    ["mailjet", (CustomID) => ({ CustomID, comment: "" })],
    ["sendgrid", (postrider) => ({ postrider })],
    [
      "sparkpost",
      (postrider) => ({ msys: { message_event: { ...SPARKPOST_BOUNCE, rcpt_meta: { postrider } } } }),
    ],
  ])("%s", async (provider, returned) => {
    const who = await mailed();
    await sendTo(api, [who.email]);
    const { body } = present(
      EXAMPLES.find((one) => one.provider === provider && one.kind === "hard"),
      "example",
    );
    const [event] = [body(who.email, OWN)].flat() as object[];
    const inList = (one: object): unknown => (ALWAYS_LISTS.has(provider) ? [one] : one);
    await post(api, provider, signedBy(provider, inList({ ...event })));
    expect(await standing(who)).toEqual(["SUBSCRIBED", null]);
    await post(api, provider, signedBy(provider, inList({ ...event, ...returned(ownOf(who)) })));
    expect(await standing(who)).toEqual(BOUNCED);
  });
});

test("SendGrid's complaints and opt-outs, which never name our Message-ID", async () => {
  for (const [event, standsAs] of [
    ["spamreport", ["UNSUBSCRIBED", "COMPLAINT"]],
    ["unsubscribe", ["UNSUBSCRIBED", "UNSUBSCRIBED"]],
    ["group_unsubscribe", ["UNSUBSCRIBED", "UNSUBSCRIBED"]],
  ] as const) {
    const who = await mailed();
    await sendTo(api, [who.email]);
    const said = {
      event,
      email: who.email,
      sg_message_id: "14c5d75ce93.filter0001.16648",
      timestamp: 1_513_299_569,
    };
    await post(api, "sendgrid", signedBy("sendgrid", [said]));
    expect(await standing(who)).toEqual(["SUBSCRIBED", null]);
    await post(api, "sendgrid", signedBy("sendgrid", [{ ...said, postrider: ownOf(who) }]));
    expect(await standing(who)).toEqual([...standsAs]);
  }
});

test("an event of SendGrid about another mail to somebody of ours changes nothing", async () => {
  const who = await mailed();
  const said = { event: "bounce", email: who.email, "smtp-id": OWN, type: "bounce", status: "5.1.1" };
  await post(api, "sendgrid", signedBy("sendgrid", [said]));
  expect(await standing(who)).toEqual(["SUBSCRIBED", null]);
});

const JSON_AROUND: Readonly<Record<string, (own: string) => string>> = {
  "X-SMTPAPI": (own) => `{"unique_args":{"postrider":"${own}"}}`,
  "X-MSYS-API": (own) => `{"metadata":{"postrider":"${own}"}}`,
};

describe("that field is in every message through", () => {
  test.each([
    ["smtp-relay.brevo.com", ["X-Mailin-custom"]],
    ["smtp-relay.sendinblue.com", ["X-Mailin-custom"]],
    ["smtp.postmarkapp.com", ["X-PM-Metadata-postrider"]],
    ["in-v3.mailjet.com", ["X-MJ-CustomID"]],
    ["smtp.sendgrid.net", ["X-SMTPAPI"]],
    ["smtp.eu.sendgrid.net", ["X-SMTPAPI"]],
    ["smtp.sparkpostmail.com", ["X-MSYS-API"]],
    ["smtp.eu.sparkpostmail.com", ["X-MSYS-API"]],
    ["smtp.example.com", []],
    ["mailjet.com.example.org", []],
  ])("%s", async (host, names) => {
    const real = present(Object.getOwnPropertyDescriptor(Relay.prototype, "host"), "getter");
    Object.defineProperty(Relay.prototype, "host", { ...real, get: () => host });
    const who = await mailed().finally(() => Object.defineProperty(Relay.prototype, "host", real));
    const value = ownOf(who);
    const fields = [...who.raw.matchAll(/^(X-[^:]+): (\S+)\r$/gm)].map(([, name = "", said = ""]) => ({
      name,
      said,
    }));
    const own = fields.filter(({ name, said }) => said === (JSON_AROUND[name]?.(value) ?? value));
    expect(own.map(({ name }) => name)).toEqual([...names, "X-Postrider-Message"]);
  });
});
