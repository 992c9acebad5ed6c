/** Who gets which kind of mail (docs/contract.md "Consent model"; src/deliveries/eligibility.ts). */
import { describe, expect, test } from "bun:test";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { barredBy, type BarringFacts } from "#deliveries/eligibility.ts";
import { SUPPRESSION_REASONS } from "#suppression/reason.ts";

const MARKETING = ["campaign", "automation"] as const;
const ASKED_FOR = ["transactional", "confirmation"] as const;

const barred = (facts: Partial<BarringFacts>) =>
  barredBy({
    kind: "campaign",
    status: "SUBSCRIBED",
    suppression: null,
    domainBlocked: false,
    linkIsVoid: false,
    isForTest: false,
    ...facts,
  });

describe.each(MARKETING)("mail of kind %s", (kind) => {
  test("goes to SUBSCRIBED contacts, and to nobody else", () => {
    for (const status of CONTACT_STATUSES)
      expect([status, barred({ kind, status })]).toEqual([
        status,
        status === "SUBSCRIBED" ? null : "OPTED_OUT",
      ]);
    expect(barred({ kind, status: null })).toBe("CONTACT_GONE");
  });

  test("goes to no address that is suppressed, whatever the reason", () => {
    for (const suppression of SUPPRESSION_REASONS) expect(barred({ kind, suppression })).toBe("SUPPRESSED");
  });

  test("goes to no blocked domain", () => {
    expect(barred({ kind, domainBlocked: true })).toBe("BLOCKED_DOMAIN");
  });
});

describe.each(ASKED_FOR)("mail of kind %s", (kind) => {
  test("goes to whoever asked for it, whatever their status", () => {
    for (const status of [...CONTACT_STATUSES, null])
      expect([status, barred({ kind, status })]).toEqual([status, null]);
  });

  test("goes to who opted out of marketing, and to no other suppressed address", () => {
    for (const suppression of SUPPRESSION_REASONS)
      expect([suppression, barred({ kind, suppression })]).toEqual([
        suppression,
        suppression === "UNSUBSCRIBED" ? null : "SUPPRESSED",
      ]);
  });

  test("goes to no suppressed address if it is a test of marketing mail", () => {
    for (const suppression of SUPPRESSION_REASONS)
      expect(barred({ kind, suppression, isForTest: true })).toBe("SUPPRESSED");
  });

  test("goes to no blocked domain", () => {
    expect(barred({ kind, domainBlocked: true })).toBe("BLOCKED_DOMAIN");
  });
});

test("a confirmation whose link is void goes to nobody: they left after they had signed up", () => {
  expect(barred({ kind: "confirmation", status: "PENDING", linkIsVoid: true })).toBe("OPTED_OUT");
});
