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
const stored = () => api.services.workspaces.settings(api.workspaceId);
const patch = (body: unknown) => api.call("PATCH", "/settings", body);

const OF_OPERATOR = ["monthlyLimit", "suspended", "allowPrivateWebhooks", "dkimPrivateKeyFile"] as const;

describe("PATCH /settings", () => {
  const BAD: readonly (readonly [string, readonly unknown[]])[] = [
    ["name", ["", "  ", "Ada\nGrace", "x".repeat(201), 5]],
    ["mailingAddress", ["\u001b[0m", "x".repeat(501), ["1 Way"]]],
    ["fromName", ["Ada\r\nBcc: eve@example.org"]],
    ["fromEmail", ["ada", "Ada <ada@example.com>", {}]],
    ["replyTo", ["@example.com"]],
    ["senderDomains", ["example.com", [5], ["localhost"], ["ada@example.com"], ["https://example.com"]]],
    ["timezone", ["", "Berlin", "+02:00", 2]],
    ["quietHours", ["", "off", "22-7", "22:00-22:00", 22, false, ["22:00-07:00"]]],
    ["dailyCap", ["off", "500", -1, 1.5, 9007199254740992, "", true, [5]]],
    ["language", ["", "xx", "english", "de-AT", 5, ["de"]]],
    ["brandColor", ["#12", "#12345g", "rgb(1,2,256)", "chartreuse", "red;}", "url(x)", 5]],
    [
      "logoUrl",
      [
        "http://example.com/logo.png",
        "//example.com/logo.png",
        "/logo.png",
        "javascript:alert(1)",
        "data:image/png;base64,AA==",
        "https://ada:pw@example.com/x.png",
        "https://example.com/a b.png",
        'https://example.com/"onload=',
        `https://example.com/${"x".repeat(1_000)}`,
        7,
      ],
    ],
    ["doubleOptIn", ["on", "true", 1, 0, ""]],
    [
      "allowedOrigins",
      ["https://a.example", [5], ["example.com"], [""].concat("nonsense"), [["https://a.example"]]],
    ],
    ["warmUp", ["200", "200 30% 21 2026-02-30", 200, { start: 200 }, ["200 30% 21 2026-12-01"]]],
    [
      "domainLimits",
      [
        "gmail.com 5/hour",
        {},
        { gmail: { perHour: 5 } },
        { "gmail.com": 5 },
        { "gmail.com": { perHour: 0 } },
        { "gmail.com": { perhour: 5 } },
        { "a.de": { perHour: 1 }, "A.de": { connections: 1 } },
      ],
    ],
    ["autoPause", ["off", 0]],
    ["sending", ["off"]],
    ["trackOpens", ["yes"]],
    ["trackClicks", [{}]],
    ["webhookSecret", [true, "hunter2", "whsec_"]],
    ["dkimDomain", ["example", "https://example.com"]],
    ["dkimSelector", ["a b"]],
    ["smtpUrl", ["mail.example.com", "smtp://mail.example.com:465", "smtp://ada@mail.example.com", true]],
    // One more character than leaves room for a mailbox in an address.
    ["bounceDomain", ["bounces", "b@example.com", `${"a.".repeat(101)}example.com`]],
    ["inboundComplaints", ["on", 1]],
    [
      "bounceMailbox",
      [
        "imap.example.com",
        "imaps://imap.example.com",
        "imaps://u:hunter2@h/?a",
        "pop3://u:hunter2@h/Other",
        5,
      ],
    ],
    ["hookSecret", ["hunter2", true]],
    ["mailgunSigningKey", ["hunter2", 5]],
    ["sendgridPublicKey", ["hunter2", "AAAA"]],
    ["resendSigningSecret", ["hunter2", false]],
  ];

  test.each(BAD)(
    "a bad %s is 422 by its name, and nothing is changed, not even what is good",
    async (key, values) => {
      const before = await stored();
      for (const value of values) {
        const answer = await patch({ trackOpens: false, dailyCap: 9, [key]: value });
        expect([value, answer.status, answer.body.error?.code]).toEqual([value, 422, "VALIDATION_ERROR"]);
        expect(answer.body.error.message).toContain(key);
        expect(answer.body.error.message).not.toContain("hunter2");
      }
      expect(await stored()).toEqual(before);
    },
  );

  test("names every own setting in the table of bad values", () => {
    expect(BAD.map(([key]) => key)).toEqual(
      Object.entries(SETTINGS).flatMap(([key, { setBy }]) => (setBy === "workspace" ? [key] : [])),
    );
  });

  test("a name that is no setting is 422, says which is meant, and changes nothing", async () => {
    const before = await stored();
    for (const [name, meant] of [
      ["dailycap", "dailyCap"],
      ["daily_cap", "dailyCap"],
      ["timezon", "timezone"],
      ["postalAddress", "mailingAddress"],
      ["colour", "The settings are"],
      ["__proto__x", "The settings are"],
    ] as const) {
      const answer = await patch({ fromName: "Eve", [name]: "x" });
      expect([name, answer.status]).toEqual([name, 422]);
      expect(answer.body.error.message).toContain(meant);
    }
    expect(await stored()).toEqual(before);
  });

  test.each(OF_OPERATOR)(
    "%s belongs to whoever runs the service: 403, and nothing is changed",
    async (key) => {
      const before = await stored();
      for (const value of [before[key] ?? 5, "", 5, true, "bad\n"]) {
        const answer = await patch({ fromName: "Eve", fromEmail: "bad", [key]: value });
        expect([value, answer.status, answer.body.error?.code]).toEqual([value, 403, "FORBIDDEN"]);
        expect(answer.body.error.message).toContain(key);
      }
      if (key === "monthlyLimit") expect((await patch({ monthlyLimit: null })).status).toBe(403);
      expect(await stored()).toEqual(before);
    },
  );

  test("the operator's settings are those four", () => {
    expect(SETTING_KEYS.filter((key) => settingOf(key).setBy === "operator")).toEqual([...OF_OPERATOR]);
  });
});
