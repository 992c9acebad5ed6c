import { describe, expect, test } from "bun:test";
import type { KeptKind } from "#bounces/report.ts";
import type { Moment, SentMail } from "#timeline/moment.ts";
import { describeMoment } from "#timeline/sentence.ts";

const TODAY = { now: Date.parse("2026-05-20T12:00:00Z"), zone: "Europe/Berlin" };
const BASE = { id: "x_1", at: Date.parse("2026-05-03T10:00:00Z") };
const CAMPAIGN: SentMail = { kind: "campaign", campaignId: "cmp_1", name: "Hello" };
const REPLY = { code: 452, enhanced: "4.2.2", text: "Mailbox full" };
const NO_REPLY = { reason: null, reply: null };
const CONSENT = { email: "ada@example.com", formId: null, clientAddress: null, userAgent: null } as const;
const RUN = { enrollmentId: "enr_1", automationId: "aut_1", name: "Welcome", error: null } as const;

type Told = Moment extends infer M ? (M extends Moment ? Omit<M, "id" | "at"> : never) : never;

const textOf = (moment: Told, at = BASE.at): string => describeMoment({ ...BASE, at, ...moment }, TODAY).text;
const delivery = (state: "sent" | "failed" | "uncertain" | "skipped", more: object = {}): Told => ({
  kind: "delivery",
  mail: CAMPAIGN,
  state,
  ...NO_REPLY,
  ...more,
});
const opened = (mail: SentMail): Told => ({ kind: "opened", mail });

const reported = (kind: KeptKind, words = "550 5.1.1 no such user"): Told => ({
  kind: "bounce",
  mail: CAMPAIGN,
  reason: "X",
  reply: null,
  report: { kind, status: "5.1.1", words, way: "smtp" },
});

describe("what happened, in one sentence", () => {
  test.each<[string, Told]>([
    ["Agreed to marketing mail, by a form", { kind: "consent", action: "GIVEN", source: "form", ...CONSENT }],
    [
      "Taken out of marketing mail, by an unsubscribe link: too many",
      { kind: "consent", action: "WITHDRAWN", source: "unsubscribe", reason: "too many", ...CONSENT },
    ],
    [
      "Taken out of marketing mail, because mail bounced",
      { kind: "consent", action: "WITHDRAWN", source: "bounce", ...CONSENT },
    ],
    ["Campaign Hello was delivered", delivery("sent")],
    ["Campaign Hello could not be delivered: 452 4.2.2 Mailbox full", delivery("failed", { reply: REPLY })],
    [
      "Campaign Hello could not be delivered: server stopped",
      delivery("failed", { reason: "SERVER_STOPPED" }),
    ],
    ["Campaign Hello may have been delivered: nobody knows", delivery("uncertain")],
    [
      "Campaign Hello was not sent: the address was suppressed",
      delivery("skipped", { reason: "SUPPRESSED" }),
    ],
    [
      "Campaign Hello bounced: 452 4.2.2 Mailbox full",
      { kind: "bounce", mail: CAMPAIGN, reason: "X", reply: REPLY, report: null },
    ],
    ["Campaign Hello bounced: 550 5.1.1 no such user", reported("hard")],
    ["Campaign Hello could not be delivered for now: 550 5.1.1 no such user", reported("soft")],
    ["Campaign Hello was refused: 550 5.1.1 no such user", reported("policy")],
    ["Campaign Hello is delayed: 550 5.1.1 no such user", reported("delayed")],
    ["Campaign Hello was reported as spam: 550 5.1.1 no such user", reported("complaint")],
    ["Campaign Hello was answered automatically", reported("auto_reply", "")],
    ["Campaign Hello: a link was clicked", { kind: "clicked", mail: CAMPAIGN }],
    ["A campaign that is deleted now was opened", opened({ ...CAMPAIGN, name: null })],
    [
      "Mail of automation Welcome was opened",
      opened({ kind: "automation", automationId: "a", nodeId: "n", name: "Welcome" }),
    ],
    [
      "Mail of an automation that is deleted now was opened",
      opened({ kind: "automation", automationId: null, nodeId: "n", name: null }),
    ],
    [
      "Confirmation mail of form Join was opened",
      opened({ kind: "confirmation", formId: "frm_1", name: "Join" }),
    ],
    ["A confirmation mail was opened", opened({ kind: "confirmation", formId: null, name: null })],
    ["A transactional message was opened", opened({ kind: "transactional", sendId: "snd_1" })],
    ["Entered automation Welcome", { kind: "enrollment", action: "ENTERED", ...RUN }],
    ["Completed automation Welcome", { kind: "enrollment", action: "COMPLETED", ...RUN }],
    [
      "Failed in automation Welcome: the list is gone",
      { kind: "enrollment", action: "FAILED", ...RUN, error: "the list is gone" },
    ],
  ])("%s", (text, moment) => {
    expect(textOf(moment)).toBe(text);
  });

  const suppressed: Told = {
    kind: "suppression",
    email: "ada@example.com",
    reason: "HARD_BOUNCE",
    source: null,
  };

  test("days are the workspace's, with the year where it is another", () => {
    expect(textOf(suppressed)).toBe("Not mailed: suppressed since 3 May, hard bounce");
    expect(textOf(suppressed, Date.parse("2026-05-03T22:30:00Z"))).toBe(
      "Not mailed: suppressed since 4 May, hard bounce",
    );
    expect(textOf(suppressed, Date.parse("2025-12-31T22:30:00Z"))).toBe(
      "Not mailed: suppressed since 31 December 2025, hard bounce",
    );
    expect(textOf(suppressed, Date.parse("2025-12-31T23:30:00Z"))).toBe(
      "Not mailed: suppressed since 1 January, hard bounce",
    );
  });

  test.each([
    [0, null, ": 0.00"],
    [5, "EUR", ": 0.05 EUR"],
    [-1999, "USD", ": -19.99 USD"],
    [100_000, null, ": 1000.00"],
    [null, "EUR", ""],
  ] as const)("an event of %p %p", (valueCents, currency, shown) => {
    const event: Told = { kind: "event", name: "paid", properties: {}, valueCents, currency };
    expect(textOf(event)).toBe(`Event paid was recorded${shown}`);
  });
});

test("details have the same members for all of a kind", () => {
  const detailsOf = (moment: Told) => Object.keys(describeMoment({ ...BASE, ...moment }, TODAY).details);
  expect(detailsOf(delivery("skipped", { reason: "EXCLUDED" }))).toEqual(detailsOf(delivery("sent")));
  expect(detailsOf({ kind: "consent", action: "GIVEN", source: "api", ...CONSENT })).toEqual(
    detailsOf({ kind: "consent", action: "GIVEN", source: "api", reason: "no more", ...CONSENT }),
  );
});
