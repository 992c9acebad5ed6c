import { describe, expect, test } from "bun:test";
import { CONTACT_STATUSES, type ContactStatus } from "#contacts/contact.ts";
import { barredBy } from "#deliveries/eligibility.ts";
import { reasonsNotMailed, type PersonStanding } from "#timeline/mailable.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";

const CREATED = 1_000;
const SUPPRESSED = 2_000;
const BLOCKED = 3_000;

const standing = (
  status: ContactStatus,
  suppression: SuppressionReason | null = null,
  isBlocked = false,
  consents: PersonStanding["consents"] = [],
): PersonStanding => ({
  contact: {
    id: "ct_ada",
    email: "ada@example.com",
    firstName: "",
    lastName: "",
    tags: [],
    status,
    attributes: {},
    createdAt: CREATED,
  },
  suppression: suppression && { reason: suppression, createdAt: SUPPRESSED },
  domainBlockedAt: isBlocked ? BLOCKED : null,
  consents,
});

const codes = (...of: Parameters<typeof standing>) =>
  reasonsNotMailed(standing(...of)).map(({ code }) => code);

describe("why campaigns pass somebody by", () => {
  test("is said exactly where a campaign's message would be skipped, whatever comes together", () => {
    let looked = 0;
    for (const status of CONTACT_STATUSES)
      for (const suppression of [null, ...SUPPRESSION_REASONS])
        for (const isBlocked of [false, true]) {
          const skipped = barredBy({ kind: "campaign", status, suppression, domainBlocked: isBlocked });
          const expected = [
            ...(status === "UNSUBSCRIBED" ? [status] : []),
            ...(suppression === null ? [] : ["SUPPRESSED"]),
            ...(status === "PENDING" || status === "BOUNCED" ? [status] : []),
            ...(isBlocked ? ["BLOCKED_DOMAIN"] : []),
          ];
          const said = codes(status, suppression, isBlocked);
          expect<string[]>(said).toEqual(expected);
          expect([status, suppression, isBlocked, said.length === 0]).toEqual([
            status,
            suppression,
            isBlocked,
            skipped === null,
          ]);
          looked++;
        }
    expect(looked).toBe(40);
  });

  test("names the suppression's reason and the domain in a plain sentence", () => {
    const said = reasonsNotMailed(standing("SUBSCRIBED", "HARD_BOUNCE", true));
    expect(said).toEqual([
      { code: "SUPPRESSED", message: "Their address is suppressed: hard bounce.", since: SUPPRESSED },
      { code: "BLOCKED_DOMAIN", message: "Mail to example.com is blocked.", since: BLOCKED },
    ]);
  });
});

describe("since when", () => {
  const sinceOf = (status: ContactStatus, consents: PersonStanding["consents"]) =>
    reasonsNotMailed(standing(status, null, false, consents))[0]?.since;

  test("PENDING is from the start", () => {
    expect(sinceOf("PENDING", [])).toBe(CREATED);
  });

  test.each<
    [string, ContactStatus, [action: "GIVEN" | "WITHDRAWN", source: "api" | "bounce"][], number | null]
  >([
    ["a status that the log knows nothing of", "UNSUBSCRIBED", [], null],
    ["one withdrawal", "UNSUBSCRIBED", [["WITHDRAWN", "api"]], 0],
    [
      "repeated ones: the first counts",
      "UNSUBSCRIBED",
      [
        ["WITHDRAWN", "api"],
        ["WITHDRAWN", "api"],
      ],
      0,
    ],
    [
      "who came back and left again",
      "UNSUBSCRIBED",
      [
        ["WITHDRAWN", "api"],
        ["GIVEN", "api"],
        ["WITHDRAWN", "api"],
      ],
      2,
    ],
    [
      "who came back, and left by a status alone",
      "UNSUBSCRIBED",
      [
        ["WITHDRAWN", "api"],
        ["GIVEN", "api"],
      ],
      null,
    ],
    [
      "a bounce is no opting out",
      "UNSUBSCRIBED",
      [
        ["WITHDRAWN", "bounce"],
        ["WITHDRAWN", "api"],
      ],
      1,
    ],
    [
      "a bounce",
      "BOUNCED",
      [
        ["GIVEN", "api"],
        ["WITHDRAWN", "bounce"],
      ],
      1,
    ],
    ["a bounce without an entry", "BOUNCED", [["GIVEN", "api"]], null],
    ["opting out is no bounce", "BOUNCED", [["WITHDRAWN", "api"]], null],
  ])("%s", (_, status, oldestFirst, since) => {
    const log = oldestFirst.map(([action, source], at) => ({ action, source, at }));
    expect(sinceOf(status, log.toReversed())).toBe(since as number);
  });
});
