import { describe, expect, test } from "bun:test";
import {
  DEFAULT_SETTINGS,
  formatSetting,
  parseSetting,
  parseSettings,
  SETTING_KEYS,
  settingsFromRows,
  type Settings,
} from "#workspaces/settings/settings.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
const SWITCHES = [
  "doubleOptIn",
  "autoPause",
  "sending",
  "suspended",
  "trackOpens",
  "trackClicks",
  "allowPrivateWebhooks",
] as const;

const EC_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";

test("the keys are the documented ones, each with a default", () => {
  const documented =
    "name mailingAddress fromName fromEmail replyTo senderDomains timezone quietHours dailyCap monthlyLimit language brandColor logoUrl doubleOptIn allowedOrigins warmUp domainLimits autoPause sending suspended " +
    "trackOpens trackClicks allowPrivateWebhooks webhookSecret dkimDomain dkimSelector dkimPrivateKeyFile smtpUrl " +
    "bounceDomain inboundComplaints bounceMailbox hookSecret mailgunSigningKey sendgridPublicKey resendSigningSecret";
  expect(SETTING_KEYS.join(" ")).toBe(documented);
  expect(Object.keys(DEFAULT_SETTINGS).join(" ")).toBe(documented);
});

test("a workspace that was told nothing sends and tracks, in UTC, without caps or quiet hours", () => {
  const { sending, trackOpens, trackClicks, suspended, doubleOptIn, allowPrivateWebhooks, ...rest } =
    settingsFromRows([]);
  expect([sending, trackOpens, trackClicks, suspended, doubleOptIn, allowPrivateWebhooks]).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(rest).toMatchObject({
    timezone: "UTC",
    quietHours: null,
    dailyCap: null,
    monthlyLimit: null,
    name: "",
    fromEmail: "",
  });
});

type Accepted = [key: keyof Settings, written: string, value: unknown, formatted?: string];
const accepted: Accepted[] = [
  ["name", "  Lovelace & Co. ", "Lovelace & Co.", "Lovelace & Co."],
  ["name", "😀".repeat(200), "😀".repeat(200)],
  ["mailingAddress", "1 Analytical Way\nLondon", "1 Analytical Way\nLondon"],
  ["allowedOrigins", "", []],
  [
    "allowedOrigins",
    "https://Shop.Example.com, http://localhost:3000/",
    ["https://shop.example.com", "http://localhost:3000"],
    "https://shop.example.com http://localhost:3000",
  ],
  ["allowedOrigins", "https://a.example https://a.example:443", ["https://a.example"], "https://a.example"],
  [
    "mailingAddress",
    "1 Analytical Way\r\nLondon\r\n",
    "1 Analytical Way\nLondon",
    "1 Analytical Way\nLondon",
  ],
  ["mailingAddress", "", ""],
  ["fromName", "Ada", "Ada"],
  ["fromEmail", "Ada@Example.COM", "ada@example.com", "ada@example.com"],
  ["fromEmail", "", ""],
  ["replyTo", "ada@bücher.example", "ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["senderDomains", "", []],
  [
    "senderDomains",
    "News.Example.com, bücher.example  news.example.com",
    ["news.example.com", "xn--bcher-kva.example"],
    "news.example.com xn--bcher-kva.example",
  ],
  ["language", "en", "en"],
  ["language", "DE", "de", "de"],
  ["brandColor", "", ""],
  ["brandColor", "#0B6", "#00bb66", "#00bb66"],
  ["brandColor", "Navy", "#000080", "#000080"],
  ["logoUrl", "", ""],
  ["logoUrl", "https://cdn.example.com/a;b,c.png", "https://cdn.example.com/a;b,c.png"],
  ["logoUrl", "http://localhost:8080/media/x.png", "http://localhost:8080/media/x.png"],
  ["timezone", "UTC", "UTC"],
  ["timezone", "europe/berlin", "Europe/Berlin", "Europe/Berlin"],
  ["timezone", "Asia/Kathmandu", "Asia/Kathmandu"],
  ["timezone", "Etc/GMT+5", "Etc/GMT+5"],
  ["quietHours", "off", null],
  ["quietHours", "22:00-07:00", { fromMinute: 1320, toMinute: 420 }],
  ["quietHours", "00:00-23:59", { fromMinute: 0, toMinute: 1439 }],
  ["dailyCap", "off", null],
  ["dailyCap", "0", 0],
  ["dailyCap", "00500", 500, "500"],
  ["monthlyLimit", "9007199254740991", Number.MAX_SAFE_INTEGER],
  ...SWITCHES.flatMap((key): Accepted[] => [
    [key, "on", true],
    [key, "off", false],
  ]),
  ["webhookSecret", SECRET, SECRET],
  ...[24, 32, 64].map((bytes): Accepted => ["webhookSecret", secretOf(bytes), secretOf(bytes)]),
  ["webhookSecret", "", ""],
  ["bounceMailbox", "imaps://u%40x:p@imap.example.com/INBOX", "imaps://u%40x:p@imap.example.com/INBOX"],
  ["bounceMailbox", "pop3://u:p@pop.example.com", "pop3://u:p@pop.example.com"],
  ["hookSecret", "a".repeat(48), "a".repeat(48)],
  ["mailgunSigningKey", "3f0c1a2b4d5e6f708192a3b4c5d6e7f8", "3f0c1a2b4d5e6f708192a3b4c5d6e7f8"],
  ["sendgridPublicKey", EC_KEY, EC_KEY],
  ["resendSigningSecret", SECRET, SECRET],
  ["dkimDomain", "Example.com", "example.com", "example.com"],
  ["dkimSelector", "mail2026", "mail2026"],
  ["dkimSelector", "s1.eu_west", "s1.eu_west"],
  ["dkimPrivateKeyFile", "/etc/postrider/dkim key.pem", "/etc/postrider/dkim key.pem"],
  ["smtpUrl", "smtp://mail.example.com", "smtp://mail.example.com"],
  [
    "smtpUrl",
    "smtps://ada:p%20w@a.example:465/?pool=true   smtp://[::1]:2525",
    "smtps://ada:p%20w@a.example:465/?pool=true smtp://[::1]:2525",
    "smtps://ada:p%20w@a.example:465/?pool=true smtp://[::1]:2525",
  ],
  ["smtpUrl", "", ""],
];

describe("a setting is read, written and read again as the same value", () => {
  test.each(accepted)("%s=%j", (key, written, value, formatted = written) => {
    expect(parseSetting(key, written)).toEqual({ ok: true, value: { [key]: value } });
    const row = { key, value: formatSetting(settingsFromRows([{ key, value: written }]), key) };
    expect(row.value).toBe(formatted);
    expect(settingsFromRows([row])).toEqual({ ...DEFAULT_SETTINGS, [key]: value });
  });

  test("every default but the missing name can be set", () => {
    for (const key of SETTING_KEYS.filter((each) => each !== "name")) {
      expect(parseSetting(key, formatSetting(DEFAULT_SETTINGS, key))).toEqual({
        ok: true,
        value: { [key]: DEFAULT_SETTINGS[key] },
      });
    }
  });
});

describe("several settings are taken all or not at all", () => {
  test("all good: all of them", () => {
    const pairs = [
      { key: "dailyCap", value: "5" },
      { key: "sending", value: "off" },
    ];
    expect(parseSettings(pairs)).toEqual({ ok: true, value: { dailyCap: 5, sending: false } });
    expect(parseSettings([])).toEqual({ ok: true, value: {} });
  });

  test.each([
    [{ key: "sending", value: "no" }, "sending must be"],
    [{ key: "colour", value: "red" }, '"colour"'],
    [{ key: "dailyCap", value: "6" }, "dailyCap is given twice"],
  ])("one bad: none, and %j is named", (bad, says) => {
    const parsed = parseSettings([{ key: "dailyCap", value: "5" }, bad, { key: "name", value: "Ada" }]);
    expect(parsed).toEqual({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", message: expect.stringContaining(says) },
    });
  });
});

describe("stored rows", () => {
  test("of a newer version's keys are passed over", () => {
    const rows = [
      { key: "brandColour", value: "red" },
      { key: "__proto__", value: "x" },
      { key: "suspended", value: "on" },
    ];
    expect(settingsFromRows(rows)).toEqual({ ...DEFAULT_SETTINGS, suspended: true });
  });

  test("that cannot be read never fall back to a default", () => {
    expect(() => settingsFromRows([{ key: "suspended", value: "yes" }])).toThrow(
      "A stored setting cannot be read: suspended must be on or off.",
    );
  });
});
