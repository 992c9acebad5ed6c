/*
 * Who may be mailed, and what changes it. The states and every arrow between them:
 *
 *   (none)        no contact row. With a suppression entry the address stands as BOUNCED (HARD_BOUNCE) or as
 *                 UNSUBSCRIBED (any other reason); the row that a POST then makes starts from there.
 *                 Without one, a POST makes the status it asks for, SUBSCRIBED when it asks for none.
 *   PENDING       known, never agreed. --SUBSCRIBED--> SUBSCRIBED   --UNSUBSCRIBED--> UNSUBSCRIBED
 *                 --BOUNCED--> BOUNCED
 *                 An event makes such a row whatever happened to the address before. So with a suppression entry that is
 *                 not MANUAL a POST finds it standing as it would without a row. A PATCH looks at the row alone.
 *   SUBSCRIBED    agreed. --UNSUBSCRIBED--> UNSUBSCRIBED   --BOUNCED--> BOUNCED  (PENDING never downgrades)
 *   UNSUBSCRIBED  opted out. --SUBSCRIBED and consent explicit--> SUBSCRIBED   (no other request moves it)
 *   BOUNCED       mail does not arrive. No request moves it, except to withdraw:
 *   any           --consent declined, a public unsubscribe, or a complaint--> UNSUBSCRIBED (wins over BOUNCED too)
 *   any           --the relay refused the address permanently--> BOUNCED
 *   who left      UNSUBSCRIBED, or suppressed as that, with a row or without. --their own sign-up, confirmed by
 *                 mail--> SUBSCRIBED, and the suppression is lifted (`signup.ts`)
 *
 * On the preferences page PENDING and SUBSCRIBED people who are not suppressed join and leave lists: that moves
 * nobody (`mayChooseLists`). Its button that leaves everything is a public unsubscribe.
 *
 * Somebody who becomes UNSUBSCRIBED or BOUNCED is suppressed and taken off every list. Only the last arrow lifts a
 * suppression. Beside it, somebody of the workspace may remove the entry (`suppression/service.ts`), which changes
 * nobody's status.
 *
 * Source: docs/contract.md "Contact status"; docs/decisions.md "Contacts and consent", "Campaigns and
 * sending", "Public pages", "Transactional send".
 */
import type { SuppressionReason } from "#suppression/reason.ts";
import { isOut, type Consent, type ContactStatus } from "#contacts/contact.ts";

/** A contact's status; null if the workspace has no contact row for the address. */
export type Standing = ContactStatus | null;

/** What must be written, all of it in one transaction. */
export type ConsentDecision = {
  readonly status: ContactStatus;
  /**
   * The entry for the consent log. GIVEN: every request whose `explicit` counted and left the contact
   * SUBSCRIBED, also if the contact was so before or is new. So the log holds each time a person agreed.
   * WITHDRAWN: every `declined`; `status` alone logs nothing.
   */
  readonly consentEntry: "GIVEN" | "WITHDRAWN" | null;
  /** The suppression to add. An existing entry keeps the stronger reason: use `strongerReason`. */
  readonly suppress: SuppressionReason | null;
  readonly leaveLists: boolean;
  /**
   * True if confirmation links sent before become void. This is so whenever somebody is to be out, even if
   * they were out already: a link must never raise somebody who said no after it was sent.
   */
  readonly voidsLinks: boolean;
  /**
   * Starts new-subscriber automations. False if explicit consent raises an opted-out address: the contract
   * names no automation for that case.
   */
  readonly becameSubscribed: boolean;
};

/** Whether a POST needs to know the suppression of the address. */
export const standsByAddress = (current: Standing): boolean => current === null || current === "PENDING";

/**
 * POST /contacts, an upsert. `status` is the sent one, after an unrecognized value became SUBSCRIBED;
 * undefined asks for SUBSCRIBED. `suppression` counts only if `standsByAddress`. Of a PENDING contact a block
 * by hand does not count: it says nothing about the person, and nobody who is known changes by it.
 */
export function decideOnPost(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
}): ConsentDecision {
  if (input.consent === "declined") return withdraw();
  const { current, suppression } = input;
  const counts = current === null || (current === "PENDING" && suppression !== "MANUAL");
  const standing = counts && suppression !== null ? statusOfSuppressed(suppression) : current;
  const decision = decideOnRequest(standing, input.status ?? "SUBSCRIBED", input.consent === "explicit");
  // The row may be on lists, because it was PENDING until now.
  return current === "PENDING" && isOut(decision.status) ? { ...decision, leaveLists: true } : decision;
}

/**
 * PATCH /contacts/{id}: only the contact's own status counts. Without a `status`, only `declined` has an
 * effect.
 */
export function decideOnPatch(input: {
  readonly current: ContactStatus;
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
}): ConsentDecision {
  if (input.consent === "declined") return withdraw();
  if (input.status === undefined) return statusOnly(input.current);
  return decideOnRequest(input.current, input.status, input.consent === "explicit");
}

/** What a public unsubscribe, or a complaint, finds. */
export type LeavingReader = {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  /** Whether the latest entry of the log about all marketing mail says that they left. */
  readonly hasWithdrawn: boolean;
};

/**
 * A public unsubscribe. Somebody who is out already (a second click) is not logged again, except where the log does not
 * know that they left: a `status` put them out, which logs nothing, and now they say it themselves. `suppress` is then
 * set only if an entry is missing. Without a contact row none is made: the address is suppressed and the
 * withdrawal is logged.
 */
export function decideOnOptOut(input: LeavingReader): ConsentDecision {
  if (!isOutAlready(input)) return withdraw();
  return {
    ...statusOnly("UNSUBSCRIBED"),
    consentEntry: input.hasWithdrawn ? null : "WITHDRAWN",
    suppress: input.suppression === null ? "UNSUBSCRIBED" : null,
    voidsLinks: true,
  };
}

/** Whether an opt-out would change nobody's standing. Only then it matters whether the log has one. */
export const isOutAlready = ({ current, suppression }: Omit<LeavingReader, "hasWithdrawn">): boolean =>
  current === "UNSUBSCRIBED" || (current === null && suppression !== null);

/**
 * Whether somebody may join and leave lists on the preferences page (docs/contract.md "What readers can
 * choose"). Nobody who opted out of everything, bounced or is suppressed: a list would bring them no mail, and
 * joining one must not look like consent. Where this is true, choosing changes neither status nor suppression.
 */
export const mayChooseLists = (input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
}): boolean => input.suppression === null && (input.current === "PENDING" || input.current === "SUBSCRIBED");

/**
 * The relay refused the address permanently. That says nothing about what the person wants, but we may no
 * longer mail them. So a person who was not out already is logged as WITHDRAWN, with source `bounce` to tell
 * the two apart. UNSUBSCRIBED people get transactional mail, so they can bounce too. Without a contact row
 * none is made and nothing is logged.
 */
export function decideOnHardBounce(current: Standing): ConsentDecision {
  const wasMailable = current === "PENDING" || current === "SUBSCRIBED";
  return { ...putOut("BOUNCED"), consentEntry: wasMailable ? "WITHDRAWN" : null };
}

/**
 * The person said that our mail is unwanted: a withdrawal, and a stronger reason to suppress. It is logged as a public
 * unsubscribe is.
 */
export function decideOnComplaint(input: LeavingReader): ConsentDecision {
  const { consentEntry } = decideOnOptOut(input);
  return { ...putOut("UNSUBSCRIBED"), suppress: "COMPLAINT", consentEntry };
}

/** The status as which a suppressed address stands. */
export const statusOfSuppressed = (suppression: SuppressionReason): "BOUNCED" | "UNSUBSCRIBED" =>
  suppression === "HARD_BOUNCE" ? "BOUNCED" : "UNSUBSCRIBED";

function decideOnRequest(standing: Standing, requested: ContactStatus, explicit: boolean): ConsentDecision {
  return { ...moveOnRequest(standing, requested, explicit), voidsLinks: isOut(requested) };
}

function moveOnRequest(standing: Standing, requested: ContactStatus, explicit: boolean): ConsentDecision {
  if (standing === "BOUNCED") return statusOnly("BOUNCED");
  const consentEntry = explicit ? "GIVEN" : null;
  if (standing === "UNSUBSCRIBED") {
    return explicit && requested === "SUBSCRIBED"
      ? { ...statusOnly("SUBSCRIBED"), consentEntry }
      : statusOnly("UNSUBSCRIBED");
  }
  switch (requested) {
    case "SUBSCRIBED":
      return { ...statusOnly("SUBSCRIBED"), consentEntry, becameSubscribed: standing !== "SUBSCRIBED" };
    case "PENDING":
      return statusOnly(standing ?? "PENDING");
    case "UNSUBSCRIBED":
    case "BOUNCED":
      return putOut(requested);
  }
}

/** This status, and nothing else to write. */
const statusOnly = (status: ContactStatus): ConsentDecision => ({
  status,
  consentEntry: null,
  suppress: null,
  leaveLists: false,
  voidsLinks: false,
  becameSubscribed: false,
});

/** The person is out: suppressed, and off every list. */
const putOut = (status: "UNSUBSCRIBED" | "BOUNCED"): ConsentDecision => ({
  ...statusOnly(status),
  suppress: status === "BOUNCED" ? "HARD_BOUNCE" : "UNSUBSCRIBED",
  leaveLists: true,
  voidsLinks: true,
});

const withdraw = (): ConsentDecision => ({ ...putOut("UNSUBSCRIBED"), consentEntry: "WITHDRAWN" });
