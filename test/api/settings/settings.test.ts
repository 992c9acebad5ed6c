import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SETTINGS } from "#workspaces/settings/setting-table.ts";
import { DEFAULT_SETTINGS, SETTING_KEYS, settingOf } from "#workspaces/settings/settings.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

const RELAY = "smtps://ada:love%40lace@mail.example.com:465";

/** As a workspace is when it is new, with a relay of its own. */
beforeEach(async () => {
  await api.services.workspaces.changeSettings(api.workspaceId, {
    ...DEFAULT_SETTINGS,
    name: "Ada's",
    webhookSecret: SECRET,
    smtpUrl: RELAY,
  });
});

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const shown = async () => (await api.call("GET", "/settings")).body.data;
const stored = () => api.services.workspaces.settings(api.workspaceId);
const patch = (body: unknown) => api.call("PATCH", "/settings", body);

describe("GET /settings", () => {
  test("shows every setting in its own type, and no secret", async () => {
    expect(await shown()).toEqual({
      name: "Ada's",
      mailingAddress: "",
      fromName: "",
      fromEmail: "",
      replyTo: "",
      senderDomains: [],
      timezone: "UTC",
      quietHours: null,
      dailyCap: null,
      monthlyLimit: null,
      language: "en",
      brandColor: "",
      logoUrl: "",
      doubleOptIn: false,
      allowedOrigins: [],
      warmUp: null,
      domainLimits: null,
      autoPause: true,
      sending: true,
      suspended: false,
      trackOpens: true,
      trackClicks: true,
      allowPrivateWebhooks: false,
      webhookSecret: true,
      dkimDomain: "",
      dkimSelector: "",
      dkimPrivateKeyFile: "",
      smtpUrl: "smtps://ada:***@mail.example.com:465",
      bounceDomain: "",
      inboundComplaints: false,
      bounceMailbox: "",
      hookSecret: false,
      mailgunSigningKey: false,
      sendgridPublicKey: "",
      resendSigningSecret: false,
    });
    expect(Object.keys(await shown())).toEqual([...SETTING_KEYS]);
  });

  test("shows what the command line has set, the operator's settings too", async () => {
    await api.services.workspaces.changeSettings(api.workspaceId, {
      monthlyLimit: 7,
      suspended: true,
      dkimPrivateKeyFile: "/etc/key.pem",
      webhookSecret: "",
      quietHours: { fromMinute: 1320, toMinute: 420 },
    });
    expect(await shown()).toMatchObject({
      monthlyLimit: 7,
      suspended: true,
      dkimPrivateKeyFile: "/etc/key.pem",
      webhookSecret: false,
      quietHours: "22:00-07:00",
    });
  });
});

describe("PATCH /settings", () => {
  const CHANGE = {
    name: "  Lovelace & Co. ",
    mailingAddress: "1 Analytical Way\r\nLondon",
    fromName: "Ada",
    fromEmail: "Ada@Example.COM",
    replyTo: "office@bücher.example",
    senderDomains: ["News.Example.com", "bücher.example"],
    timezone: "europe/berlin",
    quietHours: "22:00-07:00",
    dailyCap: 500,
    language: "PT",
    brandColor: "RGB(11, 110, 79)",
    logoUrl: "https://CDN.example.com/logo.png?v=2",
    doubleOptIn: true,
    allowedOrigins: ["https://Shop.Example.com/", "http://localhost:3000"],
    warmUp: "200 30% 21 2026-12-01",
    domainLimits: {
      "gmail.com,googlemail.com": { perHour: 2000, connections: 5 },
      "gmx.de": { perHour: 500 },
    },
    autoPause: false,
    sending: false,
    trackOpens: false,
    trackClicks: false,
    webhookSecret: "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
    dkimDomain: "Example.com",
    dkimSelector: "mail2026",
    smtpUrl: "smtp://relay.example.com",
    bounceDomain: "Bounces.Example.com",
    inboundComplaints: true,
    bounceMailbox: "imaps://bounces%40example.com:love@imap.example.com/INBOX",
    hookSecret: "5f1c0e7ab2d94c3f8e60b7a1d2c3e4f50718293a4b5c6d7e",
    mailgunSigningKey: "3f0c1a2b4d5e6f708192a3b4c5d6e7f8",
    sendgridPublicKey: SETTINGS.sendgridPublicKey.example,
    resendSigningSecret: SECRET,
  };

  test("changes every setting of the workspace's own, and the command line reads the same", async () => {
    const own = SETTING_KEYS.filter((key) => settingOf(key).setBy === "workspace");
    expect(Object.keys(CHANGE)).toEqual(own);
    const { status, body } = await patch(CHANGE);
    expect(status).toBe(200);
    expect(body.data).toEqual(await shown());
    expect(body.data).toMatchObject({
      name: "Lovelace & Co.",
      mailingAddress: "1 Analytical Way\nLondon",
      fromEmail: "ada@example.com",
      replyTo: "office@xn--bcher-kva.example",
      senderDomains: ["news.example.com", "xn--bcher-kva.example"],
      timezone: "Europe/Berlin",
      quietHours: "22:00-07:00",
      dailyCap: 500,
      language: "pt",
      brandColor: "#0b6e4f",
      logoUrl: "https://cdn.example.com/logo.png?v=2",
      allowedOrigins: ["https://shop.example.com", "http://localhost:3000"],
      webhookSecret: true,
      dkimDomain: "example.com",
      smtpUrl: "smtp://relay.example.com",
      bounceMailbox: "imaps://bounces%40example.com:***@imap.example.com/INBOX",
      hookSecret: true,
      mailgunSigningKey: true,
      resendSigningSecret: true,
    });
    expect(await stored()).toMatchObject({
      quietHours: { fromMinute: 1320, toMinute: 420 },
      dailyCap: 500,
      autoPause: false,
      sending: false,
      webhookSecret: CHANGE.webhookSecret,
    });
  });

  test("leaves alone what is not sent; null is off where that is a value, and else not sent", async () => {
    await patch({ quietHours: "22:00-07:00", dailyCap: 5, fromName: "Ada", sending: false });
    const { quietHours, dailyCap, fromName, sending } = (
      await patch({ quietHours: null, dailyCap: null, fromName: null, sending: null, suspended: null })
    ).body.data;
    expect([quietHours, dailyCap, fromName, sending]).toEqual([null, null, "Ada", false]);
    expect((await patch({ fromName: "" })).body.data.fromName).toBe("");
  });

  test.each(["", "{", "[]", "5", "{}"])(
    "an unreadable or empty body %j changes nothing: 200",
    async (body) => {
      const before = await stored();
      const answer = await patch(body);
      expect([answer.status, answer.body.data]).toEqual([200, await shown()]);
      expect(await stored()).toEqual(before);
    },
  );

  test("takes effect at the next request", async () => {
    const send = async () =>
      (await api.call("POST", "/send", { to: "grace@example.com", subject: "Hi", text: "Hi" })).status;
    await patch({ fromEmail: "ada@example.com", sending: false });
    expect(await send()).toBe(403);
  });

  test("two at once are each whole", async () => {
    const changes = Array.from({ length: 20 }, (_, i) => ({ fromName: `n${i}`, dailyCap: i }));
    await Promise.all(changes.map(patch));
    const { fromName, dailyCap } = await stored();
    expect(fromName).toBe(`n${dailyCap}`);
  });
});

describe("a password inside smtpUrl", () => {
  test("is shown as ***, and sent back so stays the stored one", async () => {
    const { smtpUrl } = await shown();
    expect((await patch({ smtpUrl, fromName: "Ada" })).status).toBe(200);
    expect((await stored()).smtpUrl).toBe(RELAY);
  });

  test("stays beside other options, and beside relays that are added or removed", async () => {
    await patch({
      smtpUrl: "smtps://ada:***@MAIL.example.com:465/?maxConnections=3 smtp://second.example.com",
    });
    expect((await stored()).smtpUrl).toBe(
      "smtps://ada:love%40lace@MAIL.example.com:465/?maxConnections=3 smtp://second.example.com",
    );
    await patch({ smtpUrl: "smtp://bob:new@third.example.com smtps://ada:***@mail.example.com:465" });
    expect((await stored()).smtpUrl).toBe(`smtp://bob:new@third.example.com ${RELAY}`);
    expect((await shown()).smtpUrl).toBe(
      "smtp://bob:***@third.example.com smtps://ada:***@mail.example.com:465",
    );
  });

  test.each([
    "smtps://ada:***@evil.example.org:465",
    "smtps://ada:***@mail.example.com:587",
    "smtp://ada:***@mail.example.com:587",
    "smtps://eve:***@mail.example.com:465",
    "smtps://ada:***@mail.example.com.evil.example.org:465",
  ])("never goes to another relay or user: %s is 422", async (smtpUrl) => {
    const answer = await patch({ smtpUrl });
    expect([answer.status, (await stored()).smtpUrl]).toEqual([422, RELAY]);
    expect(JSON.stringify(answer.body)).not.toContain("lace");
  });

  test("is nowhere in an answer, whatever is asked", async () => {
    for (const answer of [await patch({}), await api.call("GET", "/settings"), await patch({ smtpUrl: "x" })])
      expect(JSON.stringify(answer.body)).not.toContain("lace");
  });
});

test("settings are the workspace's own", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  await api.call("PATCH", "/settings", { fromName: "Theirs" }, other.key);
  expect((await shown()).fromName).toBe("");
  expect((await api.call("GET", "/settings", undefined, other.key)).body.data).toMatchObject({
    name: "Neighbours",
    fromName: "Theirs",
    smtpUrl: "",
  });
});
