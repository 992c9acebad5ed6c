import { describe, expect, test } from "bun:test";
import {
  decideOnHardBounce,
  decideOnOptOut,
  mayChooseLists,
  type ConsentDecision,
  type Standing,
} from "#contacts/consent/consent.ts";
import { decideOnConfirmation, decideOnFormSubmit } from "#contacts/consent/signup.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";

const NOTHING = {
  consentEntry: null,
  suppress: null,
  leaveLists: false,
  voidsLinks: false,
  becameSubscribed: false,
} as const;
const WITHDRAWAL: ConsentDecision = {
  status: "UNSUBSCRIBED",
  consentEntry: "WITHDRAWN",
  suppress: "UNSUBSCRIBED",
  leaveLists: true,
  voidsLinks: true,
  becameSubscribed: false,
};
const STANDINGS: Standing[] = [null, "PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"];
const SUPPRESSIONS: (SuppressionReason | null)[] = [null, ...SUPPRESSION_REASONS];

test("lists are chosen by nobody who is out or suppressed, for whatever reason", () => {
  const all = STANDINGS.flatMap((current) => SUPPRESSIONS.map((suppression) => ({ current, suppression })));
  expect(all.filter(mayChooseLists)).toEqual([
    { current: "PENDING", suppression: null },
    { current: "SUBSCRIBED", suppression: null },
  ]);
});

describe("a public unsubscribe", () => {
  test.each(["PENDING", "SUBSCRIBED", "BOUNCED"] as const)(
    "opts a %s contact out, whatever the suppression",
    (current) => {
      for (const suppression of SUPPRESSIONS)
        for (const hasWithdrawn of [true, false])
          expect(decideOnOptOut({ current, suppression, hasWithdrawn })).toEqual(WITHDRAWAL);
    },
  );

  test("suppresses and logs the address of a contact that is gone", () => {
    expect(decideOnOptOut({ current: null, suppression: null, hasWithdrawn: false })).toEqual(WITHDRAWAL);
  });

  test.each(["UNSUBSCRIBED", null] as const)(
    "changes and logs nothing the second time, but voids the links sent meanwhile (contact: %p)",
    (current) => {
      for (const suppression of SUPPRESSION_REASONS) {
        expect(decideOnOptOut({ current, suppression, hasWithdrawn: true })).toEqual({
          ...NOTHING,
          status: "UNSUBSCRIBED",
          voidsLinks: true,
        });
      }
    },
  );

  test.each(["UNSUBSCRIBED", null] as const)(
    "is logged where the log does not know that they left, and changes nothing else (contact: %p)",
    (current) => {
      for (const suppression of SUPPRESSION_REASONS) {
        expect(decideOnOptOut({ current, suppression, hasWithdrawn: false })).toEqual({
          ...NOTHING,
          status: "UNSUBSCRIBED",
          consentEntry: "WITHDRAWN",
          voidsLinks: true,
        });
      }
    },
  );

  test("puts back a suppression entry that was removed, without logging again", () => {
    expect(decideOnOptOut({ current: "UNSUBSCRIBED", suppression: null, hasWithdrawn: true })).toEqual({
      ...NOTHING,
      status: "UNSUBSCRIBED",
      suppress: "UNSUBSCRIBED",
      voidsLinks: true,
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
        voidsLinks: true,
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

  test("refuses bounced addresses, asks by mail who left by themselves where double opt-in is on, and leaves all others alone", () => {
    for (const doubleOptIn of [false, true]) {
      for (const current of STANDINGS) {
        for (const suppression of SUPPRESSIONS) {
          const { kind } = decideOnFormSubmit({ current, suppression, doubleOptIn });
          const bounced = current === "BOUNCED" || suppression === "HARD_BOUNCE";
          const blocked = suppression === "COMPLAINT" || suppression === "MANUAL";
          const left = current === "UNSUBSCRIBED" || suppression === "UNSUBSCRIBED";
          const ofThoseOut = left && !blocked && doubleOptIn ? "mayReturn" : "leftAlone";
          expect({ current, suppression, kind }).toEqual({
            current,
            suppression,
            kind: bounced ? "bounced" : left || blocked ? ofThoseOut : "joined",
          });
        }
      }
    }
  });
});

describe("a confirmation", () => {
  const GIVEN = { ...NOTHING, status: "SUBSCRIBED", consentEntry: "GIVEN" } as const;

  test("makes a PENDING contact SUBSCRIBED, logs it and starts automations", () => {
    expect(decideOnConfirmation({ current: "PENDING", suppression: null, returns: false })).toEqual({
      ...GIVEN,
      becameSubscribed: true,
    });
  });

  test("of somebody who is SUBSCRIBED by then is logged, and changes nothing", () => {
    for (const returns of [false, true])
      expect(decideOnConfirmation({ current: "SUBSCRIBED", suppression: null, returns })).toEqual(GIVEN);
  });

  test("of somebody who was not out when they signed up never raises who is out now", () => {
    for (const current of STANDINGS) {
      for (const suppression of SUPPRESSION_REASONS)
        expect(decideOnConfirmation({ current, suppression, returns: false })).toBeNull();
    }
    for (const current of [null, "UNSUBSCRIBED", "BOUNCED"] as const)
      expect(decideOnConfirmation({ current, suppression: null, returns: false })).toBeNull();
  });

  test("of somebody who had left brings them back, logged, and starts no automation for an opt-out undone", () => {
    for (const current of [null, "PENDING", "SUBSCRIBED", "UNSUBSCRIBED"] as const)
      expect([
        current,
        decideOnConfirmation({ current, suppression: "UNSUBSCRIBED", returns: true }),
      ]).toEqual([current, GIVEN]);
    expect(decideOnConfirmation({ current: "UNSUBSCRIBED", suppression: null, returns: true })).toEqual(
      GIVEN,
    );
  });

  test("never raises who bounced, complained or was blocked by hand, whatever they are", () => {
    for (const suppression of SUPPRESSIONS)
      expect(decideOnConfirmation({ current: "BOUNCED", suppression, returns: true })).toBeNull();
    for (const current of STANDINGS)
      for (const suppression of ["HARD_BOUNCE", "COMPLAINT", "MANUAL"] as const)
        expect(decideOnConfirmation({ current, suppression, returns: true })).toBeNull();
  });
});
