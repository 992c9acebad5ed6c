import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import {
  decideOnPatch,
  decideOnPost,
  standsByAddress,
  type ConsentDecision,
  type Standing,
} from "#contacts/consent/consent.ts";
import { CONTACT_STATUSES, type ContactStatus } from "#contacts/contact.ts";
import { parseContactChange, parseNewContact } from "#contacts/contact-input.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";

/*
 * The contract's contact status table, written by hand: one grid for each value of `consent`. The row is the
 * contact's status before. The column is the `status` of the request ("-": not sent, BOGUS: an unknown
 * value). The cell is the status after the request, and:
 *   *  new-subscriber automations start      g  GIVEN is logged           w  WITHDRAWN is logged
 *   x  suppressed (UNSUBSCRIBED for U, HARD_BOUNCE for B) and off every list
 *   !  the request is refused (422)
 */
const COLUMNS = [undefined, "PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED", "BOGUS"] as const;
type Column = (typeof COLUMNS)[number];
type ConsentSent = "none" | "explicit" | "declined";

const POST: Record<ConsentSent, string> = {
  //               -    PEND  SUBS  UNSUB BOUNC BOGUS
  none: `
    NEW            S*   P     S*    Ux    Bx    S*
    PENDING        S*   P     S*    Ux    Bx    S*
    SUBSCRIBED     S    S     S     Ux    Bx    S
    UNSUBSCRIBED   U    U     U     U     U     U
    BOUNCED        B    B     B     B     B     B`,
  explicit: `
    NEW            S*g  P     S*g   Ux    Bx    S*g
    PENDING        S*g  P     S*g   Ux    Bx    S*g
    SUBSCRIBED     Sg   S     Sg    Ux    Bx    Sg
    UNSUBSCRIBED   Sg   U     Sg    U     U     Sg
    BOUNCED        B    B     B     B     B     B`,
  declined: `
    NEW            Uxw  Uxw   Uxw   Uxw   Uxw   Uxw
    PENDING        Uxw  Uxw   Uxw   Uxw   Uxw   Uxw
    SUBSCRIBED     Uxw  Uxw   Uxw   Uxw   Uxw   Uxw
    UNSUBSCRIBED   Uxw  Uxw   Uxw   Uxw   Uxw   Uxw
    BOUNCED        Uxw  Uxw   Uxw   Uxw   Uxw   Uxw`,
};

const PATCH: Record<ConsentSent, string> = {
  //               -    PEND  SUBS  UNSUB BOUNC BOGUS
  none: `
    PENDING        P    P     S*    Ux    Bx    !
    SUBSCRIBED     S    S     S     Ux    Bx    !
    UNSUBSCRIBED   U    U     U     U     U     !
    BOUNCED        B    B     B     B     B     !`,
  explicit: `
    PENDING        P    P     S*g   Ux    Bx    !
    SUBSCRIBED     S    S     Sg    Ux    Bx    !
    UNSUBSCRIBED   U    U     Sg    U     U     !
    BOUNCED        B    B     B     B     B     !`,
  declined: `
    PENDING        Uxw  Uxw   Uxw   Uxw   Uxw   !
    SUBSCRIBED     Uxw  Uxw   Uxw   Uxw   Uxw   !
    UNSUBSCRIBED   Uxw  Uxw   Uxw   Uxw   Uxw   !
    BOUNCED        Uxw  Uxw   Uxw   Uxw   Uxw   !`,
};

/** A contact that is not there, or PENDING and suppressed but by hand, stands where its address's suppression puts it. */
const ROW_WITHOUT_CONTACT: Record<SuppressionReason | "none", string> = {
  none: "NEW",
  HARD_BOUNCE: "BOUNCED",
  COMPLAINT: "UNSUBSCRIBED",
  MANUAL: "UNSUBSCRIBED",
  UNSUBSCRIBED: "UNSUBSCRIBED",
};

const withoutContact = (suppression: SuppressionReason | null) => ROW_WITHOUT_CONTACT[suppression ?? "none"];

const STATUS_OF: Record<string, ContactStatus> = {
  P: "PENDING",
  S: "SUBSCRIBED",
  U: "UNSUBSCRIBED",
  B: "BOUNCED",
};

function cell(grid: string, row: string, column: Column): string {
  const line = grid
    .split("\n")
    .map((text) => text.trim().split(/\s+/))
    .find(([name]) => name === row);
  const text = line?.[COLUMNS.indexOf(column) + 1];
  if (text === undefined) throw new Error(`No cell for ${row} and ${column}.`);
  return text;
}

/** Links sent before are void after every request to be out, also of somebody who is out already. */
const asksOut = (status: Column, consent: ConsentSent): boolean =>
  consent === "declined" || status === "UNSUBSCRIBED" || status === "BOUNCED";

function expectation(code: string, voidsLinks: boolean): ConsentDecision {
  const status = STATUS_OF[code.charAt(0)] as ContactStatus;
  const removed = code.includes("x");
  const reason = status === "BOUNCED" ? "HARD_BOUNCE" : "UNSUBSCRIBED";
  return {
    status,
    consentEntry: code.includes("g") ? "GIVEN" : code.includes("w") ? "WITHDRAWN" : null,
    suppress: removed ? reason : null,
    leaveLists: removed,
    voidsLinks,
    becameSubscribed: code.includes("*"),
  };
}

function bodyOf(status: Column, consent: ConsentSent): Record<string, unknown> {
  return { ...(status !== undefined && { status }), ...(consent !== "none" && { consent }) };
}

function post(
  current: Standing,
  suppression: SuppressionReason | null,
  status: Column,
  consent: ConsentSent,
): ConsentDecision {
  const ada = unwrap(parseNewContact({ email: "ada@example.com", ...bodyOf(status, consent) }));
  return decideOnPost({ current, suppression, status: ada.status, consent: ada.consent });
}

function patch(current: ContactStatus, status: Column, consent: ConsentSent): ConsentDecision | "refused" {
  const change = parseContactChange(bodyOf(status, consent));
  if (!change.ok) return "refused";
  return decideOnPatch({ current, status: change.value.status, consent: change.value.consent });
}

const STANDINGS: Standing[] = [null, ...CONTACT_STATUSES];
const SUPPRESSIONS: (SuppressionReason | null)[] = [null, ...SUPPRESSION_REASONS];
const CONSENTS: ConsentSent[] = ["none", "explicit", "declined"];

type PostCase = {
  current: Standing;
  suppression: SuppressionReason | null;
  status: Column;
  consent: ConsentSent;
};
const POST_CASES: PostCase[] = STANDINGS.flatMap((current) =>
  SUPPRESSIONS.flatMap((suppression) =>
    CONSENTS.flatMap((consent) => COLUMNS.map((status) => ({ current, suppression, status, consent }))),
  ),
);

describe("POST /contacts", () => {
  test("does what the contract's table says, in each of its 450 combinations", () => {
    for (const { current, suppression, status, consent } of POST_CASES) {
      const isOutByAddress = current === "PENDING" && suppression !== null && suppression !== "MANUAL";
      const row = isOutByAddress
        ? ROW_WITHOUT_CONTACT[suppression]
        : (current ?? withoutContact(suppression));
      const shown = {
        current,
        suppression,
        status,
        consent,
        decision: post(current, suppression, status, consent),
      };
      const expected = expectation(cell(POST[consent], row, status), asksOut(status, consent));
      const leaveLists = expected.leaveLists || (isOutByAddress && expected.status !== "SUBSCRIBED");
      expect(shown).toEqual({ ...shown, decision: { ...expected, leaveLists } });
    }
    expect(POST_CASES).toHaveLength(5 * 5 * 6 * 3);
  });

  test("looks at the suppression only where there is no contact or a PENDING one, and there not at a block by hand", () => {
    for (const { current, suppression, status, consent } of POST_CASES) {
      const isByHand = current === "PENDING" && suppression === "MANUAL";
      if (standsByAddress(current) && !isByHand) continue;
      expect(post(current, suppression, status, consent)).toEqual(post(current, null, status, consent));
    }
  });
});

describe("PATCH /contacts/{id}", () => {
  test("does what the contract's table says, in each of its 72 combinations", () => {
    let seen = 0;
    for (const current of CONTACT_STATUSES) {
      for (const consent of CONSENTS) {
        for (const status of COLUMNS) {
          const code = cell(PATCH[consent], current, status);
          const shown = { current, consent, status, decision: patch(current, status, consent) };
          const expected = code === "!" ? "refused" : expectation(code, asksOut(status, consent));
          expect(shown).toEqual({ ...shown, decision: expected });
          seen++;
        }
      }
    }
    expect(seen).toBe(4 * 6 * 3);
  });

  test("differs from POST only without a status and with an unrecognized one", () => {
    for (const current of CONTACT_STATUSES) {
      for (const consent of CONSENTS) {
        for (const status of CONTACT_STATUSES)
          expect(patch(current, status, consent)).toEqual(post(current, null, status, consent));
      }
    }
  });

  test("explicit consent without a status does nothing", () => {
    for (const current of CONTACT_STATUSES) {
      expect(patch(current, undefined, "explicit")).toEqual({
        status: current,
        consentEntry: null,
        suppress: null,
        leaveLists: false,
        voidsLinks: false,
        becameSubscribed: false,
      });
    }
  });
});
