import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Provider } from "#inbound/hooks/provider.ts";
import { present } from "#core/present.ts";
import { ALL, KEYS, post, secretOf, signedBy, SIGNING } from "../../support/inbound/hooks.ts";
import { contactOf, suppressions } from "../../support/people/people.ts";
import { EXAMPLES } from "../../support/inbound/provider-examples.ts";
import type { Example } from "../../support/inbound/providers/example.ts";
import { sendTo } from "../../support/inbound/reports.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { amazonStandIn, CERTIFICATE_URL, confirmation, notification } from "../../support/inbound/sns.ts";

const amazon = amazonStandIn();
let api: SendingApi;
beforeAll(async () => {
  api = await startSending({}, { askAmazon: amazon.ask });
  await api.services.workspaces.changeSettings(api.workspaceId, { ...KEYS, autoPause: false });
});
afterAll(() => api.stop());

let number = 0;
type Mailed = {
  readonly id: string;
  readonly email: string;
  readonly messageId: string;
  readonly campaignId: string;
};

/** One new person who got one campaign's message. */
async function mailed(): Promise<Mailed> {
  const email = `reader-${++number}@example.com`;
  const { campaignId, sent } = await sendTo(api, [email]);
  const { raw } = present(sent.get(email), "message");
  const messageId = present(/^Message-ID:\s*(<[^>]+>)/im.exec(raw)?.[1], "Message-ID");
  const { id } = await contactOf(api, email);
  return { id, email, messageId, campaignId };
}

const exampleOf = (provider: Provider, kind: Example["kind"]): Example =>
  present(
    EXAMPLES.find((one) => one.provider === provider && one.kind === kind),
    `${provider} ${kind}`,
  );

const eventOf = (
  provider: Provider,
  kind: Example["kind"],
  { email, messageId }: Pick<Mailed, "email" | "messageId">,
) => exampleOf(provider, kind).body(email, messageId);

async function standing({ id, email, campaignId }: Mailed) {
  const { status } = (await api.call("GET", `/contacts/${id}`)).body.data;
  const { bounced } = (await api.call("GET", `/campaigns/${campaignId}/report`)).body.data;
  const timeline = (await api.call("GET", `/contacts/${id}/timeline?limit=100`)).body.data;
  const reports = timeline.filter(({ kind }: { kind: string }) => kind === "bounce").length;
  return { status, suppressed: (await suppressions(api))[email] ?? null, bounced, reports };
}

const UNTOUCHED = { status: "SUBSCRIBED", suppressed: null, bounced: 0, reports: 0 };
const BOUNCED = { status: "BOUNCED", suppressed: "HARD_BOUNCE", bounced: 1, reports: 1 };
const COMPLAINED = { status: "UNSUBSCRIBED", suppressed: "COMPLAINT", bounced: 0, reports: 1 };

describe.each([...ALL])("%s", (provider) => {
  test("a permanent failure bounces, a complaint opts out, a refusal by policy suppresses nobody", async () => {
    const [bounced, complained, refused] = [await mailed(), await mailed(), await mailed()];
    for (const [kind, who] of [
      ["hard", bounced],
      ["complaint", complained],
      ["policy", refused],
    ] as const) {
      if (!EXAMPLES.some((one) => one.provider === provider && one.kind === kind)) continue;
      const { status, body } = await post(api, provider, signedBy(provider, eventOf(provider, kind, who)));
      expect([kind, status, body]).toEqual([kind, 200, { data: { reports: 1 } }]);
    }
    expect(await standing(bounced)).toEqual(BOUNCED);
    expect(await standing(complained)).toEqual(COMPLAINED);
    expect(await standing(refused)).toEqual({ ...UNTOUCHED, reports: 1 });
  });

  test("the same event a hundred times counts once", async () => {
    const who = await mailed();
    const event = eventOf(provider, "hard", who);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => post(api, provider, signedBy(provider, event))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await standing(who)).toEqual(BOUNCED);
  });

  test("an event that fits no message is understood and changes nothing", async () => {
    const who = await mailed();
    const stranger = { email: "stranger@example.com", messageId: "<0123456789abcdef@news.example.org>" };
    expect((await post(api, provider, signedBy(provider, eventOf(provider, "hard", stranger)))).status).toBe(
      200,
    );
    const foreign = {
      email: exampleOf(provider, "hard").namesMessage ? who.email : "other@example.com",
      messageId: "<x@example.net>",
    };
    expect((await post(api, provider, signedBy(provider, eventOf(provider, "hard", foreign)))).status).toBe(
      200,
    );
    expect(await standing(who)).toEqual(UNTOUCHED);
    expect((await suppressions(api))["stranger@example.com"]).toBeUndefined();
  });

  test("a wrong secret and another workspace's are of no use", async () => {
    const who = await mailed();
    const signed = signedBy(provider, eventOf(provider, "hard", who));
    const other = await api.services.workspaces.create("Other");
    await api.services.workspaces.changeSettings(other.id, KEYS);
    const { hookSecret } = await api.services.workspaces.settings(other.id);
    const secret = await secretOf(api);
    for (const wrong of ["x".repeat(48), secret.slice(0, -1), `${secret}0`, secret.toUpperCase()])
      expect((await post(api, provider, signed, wrong)).status).toBe(404);
    const inOther = await post(api, provider, signedBy(provider, eventOf(provider, "hard", who)), hookSecret);
    expect(inOther.status).toBe(200);
    expect(await standing(who)).toEqual(UNTOUCHED);
  });

  test("what is no JSON is refused, and what is no event passes", async () => {
    const isSigned = (SIGNING as readonly string[]).includes(provider);
    for (const body of ["", "{", "nonsense", "[1,", '{"a":1}{'])
      expect([400, 403]).toContain((await post(api, provider, { body, headers: {} })).status);
    for (const event of [{}, [], [[]], { event: null }]) {
      if (provider === "mailgun" && Array.isArray(event)) continue;
      const { status, body } = await post(api, provider, signedBy(provider, event));
      expect([event, status, body?.data?.reports]).toEqual([event, 200, 0]);
      if (isSigned)
        expect((await post(api, provider, { body: JSON.stringify(event), headers: {} })).status).toBe(403);
    }
  });

  // SparkPost's batches of a thousand events are longer than 1 MiB.
  test("4 MiB are taken, one byte more is not", async () => {
    const { body, headers } = signedBy(provider, []);
    const padded = body + " ".repeat(4 * 1024 * 1024 - body.length);
    const fits = await post(api, provider, { body: padded, headers });
    expect([200, 403]).toContain(fits.status);
    expect((await post(api, provider, { body: `${padded} `, headers })).status).toBe(413);
  });
});

describe.each([...SIGNING])("the signature of %s", (provider) => {
  test("is what makes an event count: without it, and with another's, it is refused", async () => {
    const who = await mailed();
    const event = eventOf(provider, "hard", who);
    const good = signedBy(provider, event);
    const other = signedBy(
      provider,
      eventOf(provider, "hard", { email: "other@example.com", messageId: "<x@y>" }),
    );
    const unsigned = { body: JSON.stringify(event), headers: {} };
    const swapped =
      provider === "mailgun" || provider === "ses"
        ? signatureMoved(good, other)
        : { ...good, body: other.body };
    for (const forged of [unsigned, swapped]) {
      const { status, body } = await post(api, provider, forged);
      expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect(await standing(who)).toEqual(UNTOUCHED);
  });
});

/** A body with the signature of another. Mailgun signs only its token: there it is one that was never signed. */
function signatureMoved(good: { body: string }, other: { body: string }) {
  const [taken, given] = [JSON.parse(good.body), JSON.parse(other.body)] as Record<string, any>[];
  const Signature = given!["Signature"];
  const signature = { ...given!["signature"], token: "never-signed" };
  return { body: JSON.stringify(Signature ? { ...taken, Signature } : { ...taken, signature }), headers: {} };
}

test("a signed event is refused while its key is not set", async () => {
  const secret = await secretOf(api);
  await api.services.workspaces.changeSettings(api.workspaceId, {
    mailgunSigningKey: "",
    sendgridPublicKey: "",
    resendSigningSecret: "",
  });
  for (const provider of ["mailgun", "sendgrid", "resend"] as const) {
    const { status, body } = await post(api, provider, signedBy(provider, []), secret);
    expect([provider, status]).toEqual([provider, 403]);
    expect(body.error.message).toContain("Set `");
  }
  await api.services.workspaces.changeSettings(api.workspaceId, KEYS);
});

test("Mailgun's token is good once, and not after 15 minutes", async () => {
  const who = await mailed();
  const signed = signedBy("mailgun", { "event-data": { event: "delivered" } });
  expect(signed.body).toContain("token");
  expect((await post(api, "mailgun", signed)).status).toBe(200);
  expect((await post(api, "mailgun", signed)).status).toBe(403);
  const old = signedBy("mailgun", eventOf("mailgun", "hard", who), Date.now() - 16 * 60_000);
  expect((await post(api, "mailgun", old)).status).toBe(403);
  expect(await standing(who)).toEqual(UNTOUCHED);
});

test("Mailgun's token is used up after a restart too, and what came with it has counted once", async () => {
  const who = await mailed();
  const signed = signedBy("mailgun", eventOf("mailgun", "hard", who));
  expect((await post(api, "mailgun", signed)).status).toBe(200);
  api = await api.restart();
  expect((await post(api, "mailgun", signed)).status).toBe(403);
  expect(await standing(who)).toEqual(BOUNCED);
});

test("an unknown provider is not found, with the right secret too", async () => {
  for (const provider of ["mandrill", "SES", "constructor", "__proto__", "smtp", "mailbox"])
    expect((await post(api, provider, { body: "{}", headers: {} })).status).toBe(404);
});

test("an opt-out at the provider is one here", async () => {
  for (const provider of ALL) {
    if (!EXAMPLES.some((one) => one.provider === provider && one.kind === "unsubscribe")) continue;
    const who = await mailed();
    expect(
      (await post(api, provider, signedBy(provider, eventOf(provider, "unsubscribe", who)))).status,
    ).toBe(200);
    expect(await standing(who)).toMatchObject({
      status: "UNSUBSCRIBED",
      suppressed: "UNSUBSCRIBED",
      bounced: 0,
    });
  }
});

test("an event without a Message-ID fits nobody who got two messages", async () => {
  const who = await mailed();
  await sendTo(api, [who.email]);
  const { status } = await post(api, "postmark", signedBy("postmark", eventOf("postmark", "hard", who)));
  expect(status).toBe(200);
  expect(await standing(who)).toEqual(UNTOUCHED);
});

test("a batch of many events takes effect whole", async () => {
  const people = [await mailed(), await mailed(), await mailed()];
  const strangers = Array.from({ length: 1500 }, (_, index) => ({
    email: `${index}@example.net`,
    messageId: "<x@example.net>",
  }));
  const events = [...strangers, ...people].flatMap((who) => eventOf("sendgrid", "hard", who));
  const { status, body } = await post(api, "sendgrid", signedBy("sendgrid", events));
  expect([status, body]).toEqual([200, { data: { reports: 1503 } }]);
  for (const who of people) expect(await standing(who)).toEqual(BOUNCED);
});

describe("Amazon SNS", () => {
  const take = (body: object) => post(api, "ses", { body: JSON.stringify(body), headers: {} });

  test("a subscription is confirmed, once it is known to be Amazon's", async () => {
    amazon.asked.length = 0;
    expect(
      (await take(confirmation({}, { SubscribeURL: "https://sns.us-east-1.amazonaws.com/?other" }))).status,
    ).toBe(403);
    expect(amazon.asked.filter((address) => address !== CERTIFICATE_URL)).toEqual([]);
    expect((await take(confirmation())).status).toBe(200);
    expect(amazon.asked.at(-1)).toContain("Action=ConfirmSubscription");
  });

  test("an address that is not Amazon's is never asked", async () => {
    amazon.asked.length = 0;
    for (const address of [
      "https://sns.us-east-1.amazonaws.com.example.com/a.pem",
      "http://169.254.169.254/a.pem",
    ]) {
      expect((await take(notification({}, { SigningCertURL: address }))).status).toBe(403);
      expect((await take(confirmation({ SubscribeURL: address }))).status).toBe(403);
    }
    expect(amazon.asked.filter((address) => address !== CERTIFICATE_URL)).toEqual([]);
  });

  test("what Amazon could not be asked about has to come again", async () => {
    const who = await mailed();
    amazon.answers(null);
    const other = CERTIFICATE_URL.replace("us-east-1", "eu-west-1");
    const event = notification(eventOf("ses", "hard", who), { SigningCertURL: other });
    expect((await take(event)).status).toBe(500);
    expect((await take(confirmation())).status).toBe(500);
    expect(await standing(who)).toEqual(UNTOUCHED);
    amazon.recovers();
    expect((await take(event)).status).toBe(200);
    expect(await standing(who)).toEqual(BOUNCED);
  });

  test("the test message of SES is understood", async () => {
    const text = "Successfully validated SNS topic for Amazon SES event publishing.";
    expect((await take(notification(null, { Message: text }))).status).toBe(200);
  });
});
