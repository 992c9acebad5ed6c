import { describe, expect, test } from "bun:test";
import { isOneLine } from "../../support/common/one-line.ts";
import { parseSettingsChange } from "#workspaces/settings/settings-json.ts";
import { costMs } from "../../support/common/cpu-time.ts";
import { parseSetting, SETTING_KEYS, type Settings } from "#workspaces/settings/settings.ts";

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

describe("a value that is not accepted is refused by the key's name and with what would be", () => {
  const refused: [key: keyof Settings, says: string, values: string[]][] = [
    [
      "name",
      "one line of 1 to 200 characters",
      ["", "  ", "Ada\nGrace", "Ada\0", "Ada\u2028L", "x".repeat(201)],
    ],
    ["mailingAddress", "several lines", ["1 Way\tLondon\x1b[0m", "a\rb", "a\0b", "x".repeat(501)]],
    ["fromName", "one line", ["Ada\r\nBcc: eve@example.org", "\u0085x\u0085y", "x".repeat(201)]],
    [
      "fromEmail",
      "one email address",
      ["ada", "Ada <ada@example.com>", "ada@localhost", "ada@example.com, grace@example.org"],
    ],
    ["replyTo", "one email address", ["@example.com"]],
    [
      "senderDomains",
      "domains such as example.com",
      [
        "localhost",
        "ada@example.com",
        "https://example.com",
        "example.com nonsense",
        "*.example.com",
        "127.0.0.1",
        Array.from({ length: 51 }, (_, i) => `d${i}.example`).join(" "),
      ],
    ],
    [
      "allowedOrigins",
      "origins such as https://example.com",
      [
        "example.com",
        "https://",
        "ftp://a.example",
        "https://a.example/path",
        "https://a.example?",
        "https://a.example#",
        "https://ada@a.example",
        "*",
        "null",
        "https://a.example nonsense",
        "javascript:alert(1)",
      ],
    ],
    [
      "timezone",
      "IANA time zone",
      ["", "Berlin", "Mars/Base", "+02:00", "-08", "UTC+1", "CEST", "Europe/Berlin\0"],
    ],
    [
      "quietHours",
      "HH:MM-HH:MM",
      [
        "",
        "on",
        "OFF",
        "22-7",
        "22:00",
        "22:00-22:00",
        "24:00-07:00",
        "22:00-24:00",
        "9:00-17:00",
        "22:60-07:00",
        "22:00 - 07:00",
        "22:00-07:00,12:00-13:00",
      ],
    ],
    [
      "dailyCap",
      "a whole number from 0, or off",
      ["", "-1", "+5", "1.5", "1e3", "1,000", "ten", "٣", "null", "9007199254740992", "9".repeat(400)],
    ],
    ["monthlyLimit", "a whole number from 0, or off", ["unlimited", "0x10"]],
    ...SWITCHES.map((key): [keyof Settings, string, string[]] => [
      key,
      "on or off",
      ["", "true", "false", "1", "0", "yes", "ON", "on off"],
    ]),
    [
      "webhookSecret",
      "whsec_",
      ["hunter2", SECRET.slice(6), "whsec_", "whsec_c2hvcnQ=", `${SECRET}!`, secretOf(23), secretOf(65)],
    ],
    [
      "bounceMailbox",
      "imaps://",
      [
        "imap.example.com",
        "http://a.example",
        "imaps:",
        "smtp://u:p@a.example",
        `imaps://u:p@${"a".repeat(2000)}`,
      ],
    ],
    ["hookSecret", "32 to 64", ["hunter2", "x".repeat(31), "x".repeat(65), `${"x".repeat(32)}/`]],
    ["mailgunSigningKey", "16 to 200", ["hunter2", "x".repeat(201), "a key with spaces"]],
    ["sendgridPublicKey", "ECDSA", ["hunter2", "AAAA", "-----BEGIN PUBLIC KEY-----"]],
    ["resendSigningSecret", "whsec_", ["hunter2", "whsec_"]],
    ["dkimDomain", "a domain", ["example", "https://example.com", "*.example.com", "example.com."]],
    ["dkimSelector", "a DKIM selector", ["a b", "-a", "a-", "a..b", ".a", "a\nb", "a;b", "a".repeat(64)]],
    ["dkimPrivateKeyFile", "one line", ["/etc\n/passwd", "x".repeat(1001)]],
    [
      "smtpUrl",
      "percent-encoded",
      [
        "mail.example.com",
        "http://a.example",
        "smtp:",
        "smtp://",
        "smtp://a.example, smtp://b.example,x y",
        "smtp://a.example\nsmtp://b.example",
        "smtp://a.example:99999",
        `smtp://${"a".repeat(2000)}.example`,
      ],
    ],
  ];
  for (const [key, says, values] of refused) {
    test.each(values)(`${key}=%j`, (value) => {
      const parsed = parseSetting(key, value);
      if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.value)}`);
      expect(parsed.refusal.code).toBe("VALIDATION_ERROR");
      expect(parsed.refusal.message).toStartWith(`${key} must be `);
      expect(parsed.refusal.message).toContain(says);
      expect(isOneLine(parsed.refusal.message)).toBe(true);
    });
  }

  test("a refused secret does not show up in the message", () => {
    for (const [key, value] of [
      ["webhookSecret", "hunter2"],
      ["smtpUrl", "smpt://ada:hunter2@a.example"],
    ] as const) {
      expect(JSON.stringify(parseSetting(key, value))).not.toContain("hunter2");
    }
  });

  test.each(["", "Name", "dailycap", "constructor", "__proto__", "toString", "a\nb", "x".repeat(100_000)])(
    "%.20j is no setting",
    (key) => {
      const parsed = parseSetting(key, "on");
      if (parsed.ok) throw new Error("accepted");
      expect(parsed.refusal.message).toStartWith("There is no setting ");
      for (const known of SETTING_KEYS) expect(parsed.refusal.message).toContain(known);
      const { message } = parsed.refusal;
      expect(isOneLine(message) && message.length < SETTING_KEYS.join(", ").length + 150).toBe(true);
    },
  );
});

describe("what a request sends for a setting is measured before it is read", () => {
  const sent: [key: keyof Settings, value: unknown][] = [
    ["webhookSecret", `whsec_${"A".repeat(4_000_000)}`],
    ["bounceDomain", "a.".repeat(2_000_000)],
    ["senderDomains", ["ü.de ".repeat(800_000)]],
    ["senderDomains", Array(90_000).fill(`${"㌀".repeat(240)}.de`)],
    ["allowedOrigins", ["https://ü.de ".repeat(300_000)]],
    ["allowedOrigins", Array(50).fill(`https://a${"\u0315\u0300".repeat(990)}.de`)],
  ];
  test.each(sent)("%s", async (key, value) => {
    let isTaken = true;
    expect(await costMs(() => (isTaken = parseSettingsChange({ [key]: value }).ok))).toBeLessThan(100);
    expect(isTaken).toBe(false);
  });

  test("as many as are allowed are taken, as long as they may be", () => {
    const label = "a".repeat(61);
    const hosts = Array.from({ length: 50 }, (_, n) => `${n + 10}.${label}.${label}.${label}.${label}`);
    const allowedOrigins = hosts.map((host) => `https://${host}:65535`);
    expect(hosts[0]).toHaveLength(250);
    expect(parseSettingsChange({ senderDomains: hosts, allowedOrigins })).toMatchObject({
      ok: true,
      value: { senderDomains: hosts, allowedOrigins },
    });
  });
});
