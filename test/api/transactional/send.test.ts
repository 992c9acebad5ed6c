import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import { numberOf, SENDER, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { sendState, usageOf } from "../../support/sending/sending-state.ts";
import { person, suppressions } from "../../support/people/people.ts";
import { lastMail, outcomes, post, postBody } from "../../support/server/transactional.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  await set(SENDER);
});
afterAll(() => service.stop());

const set = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);
const pdf = (bytes: number) => ({
  filename: "a.pdf",
  contentType: "application/pdf",
  content: Buffer.alloc(bytes, 7).toString("base64"),
});

describe("an answer", () => {
  test("names the id, the counts and every recipient", async () => {
    const { status, body, headers } = await post(api);
    expect(status).toBe(200);
    const { raw } = await lastMail(api);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^snd_/),
        sent: 1,
        failed: 0,
        skipped: 0,
        recipients: [
          {
            email: "ada@example.com",
            status: "SENT",
            messageId: expect.stringMatching(/^[0-9a-f]{32}@shop\.example\.org$/),
            reason: null,
          },
        ],
      },
    });
    expect(raw).toContain(`Message-ID: <${body.data.recipients[0].messageId}>`);
    expect(headers.get("idempotency-replayed")).toBeNull();
  });

  test("every recipient gets a message of their own, in a transaction of its own", async () => {
    const before = api.relay.accepted.length;
    const to = [
      "ada@example.com",
      { email: "Grace@Example.com", name: "Grace Höpper" },
      { email: "linus@example.org" },
    ];
    const answer = await post(api, { to });
    expect(outcomes(answer)).toEqual([
      "ada@example.com SENT",
      "grace@example.com SENT",
      "linus@example.org SENT",
    ]);
    const mails = api.relay.accepted.slice(before);
    expect(mails.map(({ rcptTo }) => rcptTo).toSorted(([a], [b]) => a!.localeCompare(b!))).toEqual([
      ["ada@example.com"],
      ["grace@example.com"],
      ["linus@example.org"],
    ]);
    expect(new Set(mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1])).size).toBe(3);
    const toGrace = mails.find(({ rcptTo }) => rcptTo[0] === "grace@example.com")!;
    expect(toGrace.raw).toContain("To: =?utf-8?Q?Grace_H=C3=B6pper?= <grace@example.com>\r\n");
    expect(toGrace.raw).not.toContain("ada@example.com");
  });

  test("leaves no message text behind, only whose mail it was, and keeps the tags", async () => {
    await post(api, { text: "a secret nobody should find", tags: ["receipt", " shop "] });
    const contents = rowsFrom(api, "SELECT DISTINCT content FROM mailing_contents");
    expect(contents).toEqual([{ content: '{"from":{"address":"news@shop.example.org"}}' }]);
    const tags = rowsFrom(api, "SELECT tag FROM mailing_tags ORDER BY tag");
    expect(tags).toEqual([{ tag: "receipt" }, { tag: "shop" }]);
    expect(numberOf(api, "SELECT count(*) AS n FROM mailings WHERE kind <> 'transactional'")).toBe(0);
  });
});

describe("400 and 422: nothing is sent and nothing is written", () => {
  const unreadable = ["", "{", "nonsense", "{'to':1}"];
  test.each(unreadable)("400 INVALID_JSON: %j", async (body) => {
    const answer = await postBody(api, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_JSON"]);
  });

  test.each(["[]", "null", "3", '"text"'])("422 for JSON that is no object: %s", async (body) => {
    const answer = await postBody(api, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });

  const six = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}@example.com`);
  const bad: [string, object][] = [
    ["no recipient", { to: undefined }],
    ["null as recipient", { to: null }],
    ["an empty array", { to: [] }],
    ["six recipients", { to: six }],
    ["the same address twice", { to: ["ada@example.com", "ADA@example.com"] }],
    ["two addresses in one string", { to: "ada@example.com, grace@example.com" }],
    ["an address with a display name", { to: "Ada <ada@example.com>" }],
    ["an address that is none", { to: ["ada@example.com", "nobody"] }],
    ["a number as recipient", { to: [1] }],
    ["an object without email", { to: { name: "Ada" } }],
    ["a name of two lines", { to: { email: "ada@example.com", name: "Ada\r\nBcc: x@example.com" } }],
    ["no subject", { subject: undefined }],
    ["an empty subject", { subject: "  " }],
    ["a subject of two lines", { subject: "Hello\r\nBcc: eve@example.com" }],
    ["a subject of 999 characters", { subject: "x".repeat(999) }],
    ["no body", { text: undefined }],
    ["empty bodies", { text: " ", html: "" }],
    ["html and mjml", { html: "<p>", mjml: "<mjml></mjml>" }],
    ["html and body", { html: "<p>", body: "<p>" }],
    ["html that is no string", { html: 5 }],
    ["MJML as html", { html: "<mjml><mj-body></mj-body></mjml>" }],
    ["MJML as body", { body: " <!-- a --><MJML><mj-body></mj-body></MJML>" }],
    ["html over 512 KB", { html: "x".repeat(524_289) }],
    ["a sender on another domain", { from: "ada@example.com" }],
    ["a sender on a subdomain", { from: "ada@sub.shop.example.org" }],
    ["a sender that is no address", { from: "news" }],
    ["a reply-to that is no address", { replyTo: "Ada <ada@example.com>" }],
    ["a fromName of two lines", { fromName: "Ada\nBcc: x@example.com" }],
    ["a header without X-", { headers: { Bcc: "eve@example.com" } }],
    ["a header with a bad name", { headers: { "X-A:\r\nBcc": "eve@example.com" } }],
    ...[
      "X-SMTPAPI",
      "x-smtpapi",
      "X-MC-SendAt",
      "X-MSYS-API",
      "X-SES-CONFIGURATION-SET",
      "X-Mailgun-Recipient-Variables",
      "X-PM-Message-Stream",
      "X-Mailin-Tag",
      "X-MJ-TemplateID",
      "X-Mailjet-Campaign",
      "X-VirtualMTA",
      "X-Postrider-Message",
    ].map((name): [string, object] => [`the header ${name}, which steers`, { headers: { [name]: "x" } }]),
    ["a header of two lines", { headers: { "X-A": "1\r\nBcc: eve@example.com" } }],
    ["a header twice", { headers: { "X-A": "1", "x-a": "2" } }],
    ["headers that are no object", { headers: ["X-A"] }],
    ["a tag that is no string", { tags: [1] }],
    ["variables that are no object", { variables: ["Ada"] }],
    ["bad Liquid in the subject", { variables: {}, subject: "{{ name" }],
    ["bad Liquid in the text", { variables: {}, text: "{% nonsense %}" }],
    ["a subject that Liquid leaves empty", { variables: {}, subject: "{{ name }}" }],
    ["mjml that is none", { text: undefined, mjml: "hello" }],
    ["attachments that are no array", { attachments: {} }],
    ["an attachment without a name", { attachments: [{ content: "YQ==" }] }],
    ["an attachment with a path", { attachments: [{ filename: "../a", content: "YQ==" }] }],
    [
      "an attachment with a bad type",
      { attachments: [{ filename: "a", contentType: "x\r\nBcc: a@b.c", content: "YQ==" }] },
    ],
    [
      "an attachment of several parts",
      { attachments: [{ filename: "a", contentType: "multipart/mixed", content: "YQ==" }] },
    ],
    ["base64 without padding", { attachments: [{ filename: "a", content: "YQ" }] }],
    ["base64 with a line break", { attachments: [{ filename: "a", content: "YW\nE=" }] }],
    ["base64 with bits left over", { attachments: [{ filename: "a", content: "YR==" }] }],
    ["base64 of the URL alphabet", { attachments: [{ filename: "a", content: "-_-_" }] }],
    ["2 MiB and a byte", { attachments: [pdf(1024 * 1024), pdf(1024 * 1024 + 1)] }],
  ];
  test.each(bad)("422: %s", async (_name, fields) => {
    const before = [sendState(api), api.relay.transactions];
    const answer = await post(api, fields, "a-key-that-stays-free");
    expect([answer.status, answer.body.error?.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect([sendState(api), api.relay.transactions]).toEqual(before);
    expect(numberOf(api, "SELECT count(*) AS n FROM send_keys WHERE key = 'a-key-that-stays-free'")).toBe(0);
  });

  test("a body nested beyond reason is refused, not a crash", async () => {
    const deep = `{"to":"ada@example.com","subject":"x","text":"x","deep":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect((await postBody(api, deep, { "idempotency-key": "deep" })).status).toBeOneOf([400, 422]);
  });

  test("a workspace without a sender", async () => {
    await set({ fromEmail: "" });
    const answer = await post(api);
    await set({ fromEmail: "news@shop.example.org" });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });
});

describe("who is skipped", () => {
  test("suppressed for a hard bounce, a complaint or by hand, and blocked domains; UNSUBSCRIBED people do get it", async () => {
    const { suppressions: lists } = api.services;
    await lists.add(api.workspaceId, "dead@example.com", "HARD_BOUNCE");
    await lists.add(api.workspaceId, "angry@example.com", "COMPLAINT");
    await lists.add(api.workspaceId, "manual@example.com", "MANUAL");
    await lists.blockDomain(api.workspaceId, "blocked.example.com");
    await person(api, "gone@example.com", { consent: "declined" });
    expect((await suppressions(api))["gone@example.com"]).toBe("UNSUBSCRIBED");
    const to = [
      "dead@example.com",
      "angry@example.com",
      "manual@example.com",
      "eve@blocked.example.com",
      "gone@example.com",
    ];
    const answer = await post(api, { to });
    expect(outcomes(answer)).toEqual([
      "dead@example.com SKIPPED SUPPRESSED",
      "angry@example.com SKIPPED SUPPRESSED",
      "manual@example.com SKIPPED SUPPRESSED",
      "eve@blocked.example.com SKIPPED BLOCKED_DOMAIN",
      "gone@example.com SENT",
    ]);
    expect(answer.body.data).toMatchObject({ sent: 1, failed: 0, skipped: 4 });
    expect(answer.body.data.recipients.map(({ messageId }: any) => messageId !== null)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test("everybody skipped: 200, nothing sent, nothing charged", async () => {
    await api.services.suppressions.add(api.workspaceId, "dead@example.com", "HARD_BOUNCE");
    const before = [usageOf(api), api.relay.transactions];
    const answer = await post(api, { to: "dead@example.com" });
    expect([answer.status, answer.body.data.sent, answer.body.data.skipped]).toEqual([200, 0, 1]);
    expect([usageOf(api), api.relay.transactions]).toEqual(before);
  });
});

describe("guardrails", () => {
  test.each([
    ["a suspended workspace", { suspended: true }, { suspended: false }],
    ["sending switched off", { sending: false }, { sending: true }],
  ])("403 FORBIDDEN: %s; the key stays free", async (_name, off, on) => {
    await set(off);
    const before = [sendState(api), api.relay.transactions];
    const refused = await post(api, {}, "forbidden");
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect([sendState(api), api.relay.transactions]).toEqual(before);
    await set(on);
    expect((await post(api, {}, `forbidden`)).headers.get("idempotency-replayed")).toBeNull();
    await writeTo(api, "DELETE FROM send_keys");
  });

  test("402 QUOTA_EXCEEDED as a whole at the monthly limit; skipped people do not count; the key stays free", async () => {
    await api.services.suppressions.add(api.workspaceId, "dead@example.com", "HARD_BOUNCE");
    expect((await post(api)).status).toBe(200);
    const used = 1;
    await set({ monthlyLimit: used + 2 });
    const refused = await post(
      api,
      { to: ["ada@example.com", "grace@example.com", "linus@example.org"] },
      "quota",
    );
    expect([refused.status, refused.body.error.code]).toEqual([402, "QUOTA_EXCEEDED"]);
    expect(Object.values(usageOf(api))).toEqual([used]);
    const fits = await post(
      api,
      { to: ["ada@example.com", "dead@example.com", "linus@example.org"] },
      "quota",
    );
    expect([fits.status, fits.body.data.sent]).toEqual([200, 2]);
    expect((await post(api)).status).toBe(402);
    await set({ monthlyLimit: null });
  });

  test("neither quiet hours nor the daily cap hold it back, and it does not count for the cap", async () => {
    await set({ quietHours: { fromMinute: 0, toMinute: 1439 }, dailyCap: 0 });
    expect((await post(api)).status).toBe(200);
    expect(Object.keys(usageOf(api)).every((period) => period.length === 7)).toBe(true);
    await set({ quietHours: null, dailyCap: null });
  });

  test("a storm at the edge of the limit: never over by one, and what is left is used", async () => {
    expect((await post(api)).status).toBe(200);
    const used = 1;
    await set({ monthlyLimit: used + 7 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(api, { to: ["ada@example.com", "grace@example.com"] })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(3).fill(200),
      ...Array(9).fill(402),
    ]);
    expect(Object.values(usageOf(api))).toEqual([used + 6]);
    await set({ monthlyLimit: null });
  });
});
