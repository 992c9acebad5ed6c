import { describe, expect, test } from "bun:test";
import {
  decideOnHardBounce,
  decideOnOptOut,
  type ConsentDecision,
  type Standing,
} from "#contacts/consent.ts";
import { decideOnConfirmation, decideOnFormSubmit } from "#contacts/signup.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";

const NOTHING = { consentEntry: null, suppress: null, leaveLists: false, becameSubscribed: false } as const;
const WITHDRAWAL: ConsentDecision = {
  status: "UNSUBSCRIBED",
  consentEntry: "WITHDRAWN",
  suppress: "UNSUBSCRIBED",
  leaveLists: true,
  becameSubscribed: false,
};
const STANDINGS: Standing[] = [null, "PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"];
const SUPPRESSIONS: (SuppressionReason | null)[] = [null, ...SUPPRESSION_REASONS];

describe("a public unsubscribe", () => {
  test.each(["PENDING", "SUBSCRIBED", "BOUNCED"] as const)(
    "opts a %s contact out, whatever the suppression",
    (current) => {
      for (const suppression of SUPPRESSIONS)
        expect(decideOnOptOut({ current, suppression })).toEqual(WITHDRAWAL);
    },
  );

  test("suppresses and logs the address of a contact that is gone", () => {
    expect(decideOnOptOut({ current: null, suppression: null })).toEqual(WITHDRAWAL);
  });

  test.each(["UNSUBSCRIBED", null] as const)(
    "changes and logs nothing the second time (contact: %p)",
    (current) => {
      for (const suppression of SUPPRESSION_REASONS) {
        expect(decideOnOptOut({ current, suppression })).toEqual({ ...NOTHING, status: "UNSUBSCRIBED" });
      }
    },
  );

  test("puts back a suppression entry that was removed, without logging again", () => {
    expect(decideOnOptOut({ current: "UNSUBSCRIBED", suppression: null })).toEqual({
      ...NOTHING,
      status: "UNSUBSCRIBED",
      suppress: "UNSUBSCRIBED",
    });
  });
});

describe("a hard bounce", () => {
  const table: [Standing, ConsentDecision["consentEntry"]][] = [
    [null, null],
    ["PENDING", "WITHDRAWN"],
    ["SUBSCRIBED", "WITHDRAWN"],
    ["UNSUBSCRIBED", null],
    ["BOUNCED", null],
  ];
  test.each(table)(
    "makes a contact that was %p BOUNCED, suppressed and off every list, logging %p",
    (current, consentEntry) => {
      expect(decideOnHardBounce(current)).toEqual({
        status: "BOUNCED",
        consentEntry,
        suppress: "HARD_BOUNCE",
        leaveLists: true,
        becameSubscribed: false,
      });
    },
  );
});

describe("a form submission", () => {
  const joined = (
    decision: Partial<ConsentDecision> & Pick<ConsentDecision, "status">,
    needsConfirmation: boolean,
  ) => ({
    kind: "joined" as const,
    decision: { ...NOTHING, ...decision },
    needsConfirmation,
  });
  const subscribed = joined({ status: "SUBSCRIBED", consentEntry: "GIVEN", becameSubscribed: true }, false);

  test("subscribes new and PENDING people at once when double opt-in is off", () => {
    for (const current of [null, "PENDING"] as const) {
      expect(decideOnFormSubmit({ current, suppression: null, doubleOptIn: false })).toEqual(subscribed);
    }
  });

  test("asks new and PENDING people to confirm when double opt-in is on, and logs no consent yet", () => {
    for (const current of [null, "PENDING"] as const) {
      expect(decideOnFormSubmit({ current, suppression: null, doubleOptIn: true })).toEqual(
        joined({ status: "PENDING" }, true),
      );
    }
  });

  test("lets SUBSCRIBED people join the list, starts nothing and sends no confirmation", () => {
    expect(decideOnFormSubmit({ current: "SUBSCRIBED", suppression: null, doubleOptIn: true })).toEqual(
      joined({ status: "SUBSCRIBED" }, false),
    );
    expect(decideOnFormSubmit({ current: "SUBSCRIBED", suppression: null, doubleOptIn: false })).toEqual(
      joined({ status: "SUBSCRIBED", consentEntry: "GIVEN" }, false),
    );
  });

  test("refuses bounced addresses and leaves every other opted-out or suppressed person alone", () => {
    for (const doubleOptIn of [false, true]) {
      for (const current of STANDINGS) {
        for (const suppression of SUPPRESSIONS) {
          const { kind } = decideOnFormSubmit({ current, suppression, doubleOptIn });
          const bounced = current === "BOUNCED" || suppression === "HARD_BOUNCE";
          const out = current === "UNSUBSCRIBED" || suppression !== null;
          expect({ current, suppression, kind }).toEqual({
            current,
            suppression,
            kind: bounced ? "bounced" : out ? "leftAlone" : "joined",
          });
        }
      }
    }
  });
});

describe("a confirmation", () => {
  test("makes a PENDING contact SUBSCRIBED, logs it and starts automations", () => {
    const decision = decideOnConfirmation("PENDING", null);
    expect(decision).toEqual({
      ...NOTHING,
      status: "SUBSCRIBED",
      consentEntry: "GIVEN",
      becameSubscribed: true,
    });
  });

  test("changes and logs nothing the second time", () => {
    expect(decideOnConfirmation("SUBSCRIBED", null)).toEqual({ ...NOTHING, status: "SUBSCRIBED" });
  });

  test("never raises someone who opted out, bounced, was suppressed or deleted since", () => {
    for (const current of STANDINGS) {
      for (const suppression of SUPPRESSION_REASONS)
        expect(decideOnConfirmation(current, suppression)).toBeNull();
    }
    for (const current of [null, "UNSUBSCRIBED", "BOUNCED"] as const)
      expect(decideOnConfirmation(current, null)).toBeNull();
  });
});
