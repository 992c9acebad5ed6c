/** Providers that put their own Message-ID into our mail: what their reports are known by. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import type { Provider } from "#inbound/hooks/provider.ts";
import { Relay } from "#mail/smtp/relay/relay.ts";
import { post, signedBy } from "../../support/inbound/hooks.ts";
import { EXAMPLES } from "../../support/inbound/provider-examples.ts";
import { sendTo } from "../../support/inbound/reports.ts";
import { suppressions } from "../../support/people/people.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
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
  const { status } = (await api.call("GET", `/contacts?q=${email}`)).body.data[0];
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

describe("by the field that it returns, also where somebody got two messages:", () => {
  test.each<[Provider, (own: string) => object]>([
    ["brevo", (own) => ({ "message-id": OWN, "X-Mailin-custom": own })],
    ["postmark", (postrider) => ({ Metadata: { postrider } })],
    ["postmark", (own) => ({ Content: `X-Postrider-Message: ${own}\r\nMessage-ID: ${OWN}\r\n` })],
    ["mailjet", (CustomID) => ({ CustomID, comment: "" })],
  ])("%s", async (provider, returned) => {
    const who = await mailed();
    await sendTo(api, [who.email]);
    const { body } = present(
      EXAMPLES.find((one) => one.provider === provider && one.kind === "hard"),
      "example",
    );
    const [event] = [body(who.email, OWN)].flat() as object[];
    await post(api, provider, signedBy(provider, event));
    expect(await standing(who)).toEqual(["SUBSCRIBED", null]);
    await post(api, provider, signedBy(provider, { ...event, ...returned(ownOf(who)) }));
    expect(await standing(who)).toEqual(BOUNCED);
  });
});

describe("that field is in every message through", () => {
  test.each([
    ["smtp-relay.brevo.com", ["X-Mailin-custom"]],
    ["smtp-relay.sendinblue.com", ["X-Mailin-custom"]],
    ["smtp.postmarkapp.com", ["X-PM-Metadata-postrider"]],
    ["in-v3.mailjet.com", ["X-MJ-CustomID"]],
    ["smtp.example.com", []],
    ["mailjet.com.example.org", []],
  ])("%s", async (host, names) => {
    const real = present(Object.getOwnPropertyDescriptor(Relay.prototype, "host"), "getter");
    Object.defineProperty(Relay.prototype, "host", { ...real, get: () => host });
    const who = await mailed().finally(() => Object.defineProperty(Relay.prototype, "host", real));
    const value = ownOf(who);
    const fields = [...who.raw.matchAll(/^(X-[^:]+): (\S+)\r$/gm)].filter(([, , own]) => own === value);
    expect(fields.map(([, name]) => name)).toEqual([...names, "X-Postrider-Message"]);
  });
});
