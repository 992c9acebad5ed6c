import { describe, expect, test } from "bun:test";
import { PROVIDER_NAMES, PROVIDERS, type Provider } from "#inbound/hooks/provider.ts";
import { EXAMPLES } from "../../support/inbound/provider-examples.ts";

const RECIPIENT = "grace@example.com";
const MESSAGE_ID = "<0123456789abcdef@news.example.org>";

/** A reader's opt-out at Postmark. */
const STOPPED = {
  RecordType: "SubscriptionChange",
  SuppressSending: true,
  SuppressionReason: "ManualSuppression",
  Origin: "Recipient",
};

describe("a provider's event is read as its documentation says", () => {
  for (const { name, provider, kind, namesMessage, body } of EXAMPLES)
    test(`${provider}: ${name} is ${kind ?? "no report"}`, () => {
      const reports = PROVIDERS[provider].read(body(RECIPIENT, MESSAGE_ID));
      expect(reports.map((report) => report.kind)).toEqual(kind === null ? [] : [kind]);
      for (const { recipient, messageId } of reports) {
        expect(recipient).toBe(RECIPIENT);
        expect((messageId ?? "").replace(/^<|>$/g, "")).toBe(namesMessage ? MESSAGE_ID.slice(1, -1) : "");
      }
    });

  test("a batch gives one report for each event in it", () => {
    for (const provider of ["sendgrid", "mailjet", "sparkpost", "brevo"] as const) {
      const events = EXAMPLES.filter((one) => one.provider === provider).flatMap(({ body }) =>
        body(RECIPIENT, MESSAGE_ID),
      );
      const kinds = EXAMPLES.flatMap((one) =>
        one.provider === provider && one.kind !== null ? [one.kind] : [],
      );
      expect(PROVIDERS[provider].read(events).map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  test("several recipients in one event of SES are several reports", () => {
    const event = {
      notificationType: "Bounce",
      bounce: {
        bounceType: "Permanent",
        bounceSubType: "General",
        bouncedRecipients: [
          { emailAddress: "jane@example.com", status: "5.1.1", action: "failed" },
          { emailAddress: "richard@example.com", status: "5.1.1", action: "failed" },
          { emailAddress: "late@example.com", status: "4.4.7", action: "delayed" },
        ],
      },
    };
    const recipients = PROVIDERS.ses.read(event).map(({ recipient }) => recipient);
    expect(recipients).toEqual(["jane@example.com", "richard@example.com"]);
  });

  test("a bounce of Resend that names several recipients accuses none of them by address", () => {
    const event = {
      type: "email.bounced",
      data: { to: [RECIPIENT, "other@example.com"], bounce: { type: "Permanent" } },
    };
    expect(PROVIDERS.resend.read(event).map(({ recipient }) => recipient)).toEqual([null]);
  });

  const OURS = "0123456789abcdef0123456789abcdef";
  const SES_ID = { name: "Message-ID", value: "<0102018f-7a@eu-west-1.amazonses.com>" };
  const resendWith = (name: string, value: string) => ({
    type: "email.bounced",
    data: { to: ["a@example.org"], headers: [SES_ID, { name, value }] },
  });
  const CONTENT = `Message-ID: <report@mta.example.net>\r\n\r\nbody\r\nX-Postrider-Message: ${OURS}\r\nMessage-ID: <883953f4@mtasv.net>\r\n`;

  test.each<[Provider, object]>([
    ["brevo", { event: "hard_bounce", "message-id": "<1@smtp-relay.mailin.fr>", "X-Mailin-custom": OURS }],
    ["brevo", { event: "hard_bounce", "message-id": `<${OURS}@news.example.org>` }],
    ["mailjet", { event: "bounce", hard_bounce: true, CustomID: OURS }],
    ["postmark", { Type: "HardBounce", Metadata: { postrider: OURS } }],
    ["postmark", { RecordType: "Bounce", Type: "HardBounce", Content: CONTENT }],
    ["postmark", { RecordType: "SpamComplaint", Type: "SpamComplaint", Metadata: { postrider: OURS } }],
    ["postmark", { ...STOPPED, Metadata: { postrider: OURS } }],
    ["resend", resendWith("Message-ID", `<${OURS}@news.example.org>`)],
    ["resend", resendWith("X-Postrider-Message", OURS)],
  ])("%s replaces our Message-ID, and names our message all the same: %j", (provider, event) => {
    const [report] = PROVIDERS[provider].read(event);
    expect(report?.messageId).toContain(OURS);
  });

  test.each<[Provider, object]>([
    [
      "brevo",
      { event: "hard_bounce", "message-id": "<1@smtp-relay.mailin.fr>", "X-Mailin-custom": "shop 42" },
    ],
    ["mailjet", { event: "bounce", hard_bounce: true, CustomID: "shop 42" }],
    ["postmark", { Type: "HardBounce", Metadata: { postrider: { id: OURS } }, Content: "Message-ID: <1@x>" }],
    ["resend", resendWith("X-Entity-Ref-ID", "shop 42")],
  ])("%s may return ids that are not ours, and then the recipient counts: %j", (provider, event) => {
    expect(PROVIDERS[provider].read(event).map(({ messageId }) => messageId)).toEqual([null]);
  });
});

describe("what no provider sends", () => {
  const STRANGE = [
    null,
    1,
    "text",
    [],
    {},
    [[]],
    [null],
    { "event-data": 1 },
    { Type: {} },
    [{ msys: 1 }],
    { data: [] },
  ];
  for (const provider of PROVIDER_NAMES)
    test(`${provider}: is no report`, () => {
      for (const body of STRANGE) expect(PROVIDERS[provider].read(body)).toEqual([]);
    });

  const REPORTED = EXAMPLES.filter(({ kind }) => kind !== null);

  /** The event with an object in the place of each value that is chosen, by itself or by its place. */
  function twisted(event: unknown, isTwisted: (value: unknown, place: number) => boolean): unknown {
    let place = -1;
    return JSON.parse(JSON.stringify(event), (_, value: unknown) =>
      value !== null && typeof value === "object" ? value : isTwisted(value, ++place) ? { value } : value,
    );
  }

  test("an address of another type is nobody's", () => {
    for (const { provider, body } of REPORTED) {
      const event = twisted(body(RECIPIENT, MESSAGE_ID), (value) => String(value).includes(RECIPIENT));
      expect(PROVIDERS[provider].read(event).map(({ recipient }) => recipient)).toEqual([null]);
    }
  });

  test("a member of another type neither throws nor becomes a word, whichever it is", () => {
    const reports = REPORTED.flatMap(({ provider, body }) => {
      const event = body(RECIPIENT, MESSAGE_ID);
      let places = 0;
      twisted(event, () => ++places > 0);
      return Array.from({ length: places }, (_, wanted) =>
        PROVIDERS[provider].read(twisted(event, (_value, place) => place === wanted)),
      ).flat();
    });
    expect(reports.length).toBeGreaterThan(REPORTED.length);
    expect(reports.filter((report) => JSON.stringify(report).includes("[object"))).toEqual([]);
  });

  test("a very long reply is kept short, in a moment", () => {
    const long = "550 5.1.1 ".repeat(100_000);
    const [report] = PROVIDERS.brevo.read({ event: "hard_bounce", email: RECIPIENT, reason: long });
    expect(report?.diagnostic.length).toBeLessThanOrEqual(512);
  });
});
