import { describe, expect, test } from "bun:test";
import {
  checkAudience,
  checkBeforePlan,
  checkMayStart,
  type AudienceFacts,
  type SendFacts,
  type StartFacts,
} from "#campaigns/send/guardrails.ts";
import type { ErrorCode } from "#core/errors/errors.ts";

type Guardrail<Facts> = { name: string; broken: Partial<Facts>; code: ErrorCode; says: string };

const STARTS: StartFacts = {
  status: "DRAFT",
  suspended: false,
  sending: true,
  listId: "lst_1",
  segmentId: null,
};

const BEFORE_LETTER: Guardrail<StartFacts>[] = [
  { name: "sent already", broken: { status: "SENT" }, code: "CAMPAIGN_ALREADY_SENT", says: "was sent" },
  { name: "suspended", broken: { suspended: true }, code: "FORBIDDEN", says: "suspended" },
  { name: "sending turned off", broken: { sending: false }, code: "FORBIDDEN", says: "turned off" },
  {
    name: "neither list nor segment",
    broken: { listId: null },
    code: "VALIDATION_ERROR",
    says: "`segmentId`",
  },
];

const READY: SendFacts = {
  mailingAddress: "12 Analytical Street, London",
  senders: { fromEmail: "ada@example.com", senderDomains: [] },
  fromEmail: null,
  quiet: false,
  overrideQuietHours: false,
};
const NO_SENDER = { fromEmail: "", senderDomains: [] };

const BEFORE_PLAN: Guardrail<SendFacts>[] = [
  {
    name: "no mailing address",
    broken: { mailingAddress: "" },
    code: "VALIDATION_ERROR",
    says: "`mailingAddress`",
  },
  {
    name: "no sender address",
    broken: { senders: NO_SENDER },
    code: "VALIDATION_ERROR",
    says: "`fromEmail`",
  },
  {
    name: "a sender of a domain that is no longer the workspace's",
    broken: { fromEmail: "ada@elsewhere.example" },
    code: "VALIDATION_ERROR",
    says: "`fromEmail`",
  },
  { name: "quiet hours", broken: { quiet: true }, code: "VALIDATION_ERROR", says: "quiet hours" },
];

const FITS: AudienceFacts = {
  mailable: 10,
  month: "2026-11",
  monthUsed: 90,
  monthlyLimit: 100,
  day: "2026-11-21",
  dayUsed: 40,
  dailyCap: 50,
};

const WITH_COUNTS: Guardrail<AudienceFacts>[] = [
  { name: "nobody left to mail", broken: { mailable: 0 }, code: "VALIDATION_ERROR", says: "Nobody is left" },
  { name: "monthly limit", broken: { monthUsed: 91 }, code: "QUOTA_EXCEEDED", says: "monthly limit of 100" },
  { name: "daily cap", broken: { dayUsed: 41 }, code: "VALIDATION_ERROR", says: "daily cap of 50" },
];

const refusal = ({ code, says }: Pick<Guardrail<unknown>, "code" | "says">) => ({
  code,
  message: expect.stringContaining(says),
});

/** Each guardrail alone, then each pair of them broken at once, then all from one on. */
function inOrder<Facts>(check: (facts: Facts) => unknown, good: Facts, guardrails: Guardrail<Facts>[]): void {
  test.each(guardrails)("$name is refused", (guardrail) => {
    expect(check({ ...good, ...guardrail.broken })).toEqual(refusal(guardrail));
  });

  const pairs = guardrails.flatMap((first, i) =>
    guardrails.slice(i + 1).map((second) => ({ first, second })),
  );
  test.each(pairs)("$first.name is named before $second.name", ({ first, second }) => {
    expect(check({ ...good, ...second.broken, ...first.broken })).toEqual(refusal(first));
  });

  test("with everything after it broken too, each is still the one that is named", () => {
    guardrails.forEach((guardrail, i) => {
      const broken = Object.assign({}, ...guardrails.slice(i).map((each) => each.broken)) as Partial<Facts>;
      expect(check({ ...good, ...broken })).toEqual(refusal(guardrail));
    });
  });
}

describe("before the letter is looked at", () => {
  inOrder(checkMayStart, STARTS, BEFORE_LETTER);

  test("a DRAFT or SCHEDULED campaign with a list, a segment or both may start", () => {
    for (const audience of [{}, { listId: null, segmentId: "seg_1" }, { segmentId: "seg_1" }])
      for (const status of ["DRAFT", "SCHEDULED"] as const)
        expect(checkMayStart({ ...STARTS, ...audience, status })).toBeNull();
  });
});

describe("before the plan", () => {
  inOrder(checkBeforePlan, READY, BEFORE_PLAN);

  test("a campaign with everything in place may start, also from a domain of `senderDomains`", () => {
    expect(checkBeforePlan(READY)).toBeNull();
    expect(checkBeforePlan({ ...READY, fromEmail: "grace@example.com" })).toBeNull();
    const senders = { fromEmail: "", senderDomains: ["letters.example"] };
    expect(checkBeforePlan({ ...READY, senders, fromEmail: "ada@letters.example" })).toBeNull();
  });

  test("quiet hours can be overridden, nothing else", () => {
    for (const guardrail of BEFORE_PLAN) {
      const verdict = checkBeforePlan({ ...READY, ...guardrail.broken, overrideQuietHours: true });
      expect(verdict).toEqual(guardrail.name === "quiet hours" ? null : refusal(guardrail));
    }
  });

  test("a setting of nothing but white space counts as missing", () => {
    for (const text of ["", " \n"]) {
      expect(checkBeforePlan({ ...READY, mailingAddress: text })).toEqual(
        refusal({ code: "VALIDATION_ERROR", says: "mailingAddress" }),
      );
      expect(checkBeforePlan({ ...READY, senders: { ...NO_SENDER, fromEmail: text } })).toEqual(
        refusal({ code: "VALIDATION_ERROR", says: "fromEmail" }),
      );
    }
  });
});

describe("with the audience counted", () => {
  inOrder(checkAudience, FITS, WITH_COUNTS);

  test("a send that uses up limit and cap exactly may start", () => {
    expect(checkAudience(FITS)).toBeNull();
  });

  test("without limit and cap everything fits", () => {
    expect(checkAudience({ ...FITS, mailable: 1_000_000, monthlyLimit: null, dailyCap: null })).toBeNull();
  });

  test("a limit or cap lowered below what is used already refuses", () => {
    expect(checkAudience({ ...FITS, mailable: 1, monthlyLimit: 0 })).toEqual(
      refusal({ code: "QUOTA_EXCEEDED", says: "0 left" }),
    );
    expect(checkAudience({ ...FITS, mailable: 1, dailyCap: 0 })).toEqual(
      refusal({ code: "VALIDATION_ERROR", says: "0 left" }),
    );
  });
});
