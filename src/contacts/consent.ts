/*
 * Who may be mailed, and what moves them. The states and every arrow between them:
 *
 *   (none)        no contact row. With a suppression entry the address stands as BOUNCED (HARD_BOUNCE) or as
 *                 UNSUBSCRIBED (any other reason); the row that a POST then makes starts from there.
 *                 Without one, a POST makes the status it asks for, SUBSCRIBED when it asks for none.
 *   PENDING       known, never agreed. --SUBSCRIBED--> SUBSCRIBED   --UNSUBSCRIBED--> UNSUBSCRIBED   --BOUNCED--> BOUNCED
 *   SUBSCRIBED    agreed.              --UNSUBSCRIBED--> UNSUBSCRIBED   --BOUNCED--> BOUNCED   (PENDING never downgrades it)
 *   UNSUBSCRIBED  opted out.           --SUBSCRIBED and consent explicit--> SUBSCRIBED   (nothing else a request asks for moves it)
 *   BOUNCED       does not arrive.     nothing a request asks for moves it
 *   any           --consent declined, or a public unsubscribe--> UNSUBSCRIBED: a withdrawal wins from BOUNCED too
 *   any           --the relay refused the address for good--> BOUNCED
 *
 * Whoever is set to UNSUBSCRIBED or BOUNCED is suppressed and taken off every list. None of these arrows lifts a
 * suppression. Only one thing does: the confirmation of somebody who had left and signed up again (`signup.ts`).
 * Source: docs/contract.md "Contact status"; docs/decisions.md "Contacts and consent", "Campaigns and
 * sending", "Public pages", "Transactional send".
 */
import type { SuppressionReason } from "#suppression/reason.ts";
import type { Consent, ContactStatus } from "./contact.ts";

/** A contact's status; null where the workspace has no contact row for the address. */
export type Standing = ContactStatus | null;

/** What has to be written, all of it in one transaction. */
export type ConsentDecision = {
  readonly status: ContactStatus;
  /**
   * The entry for the consent log. GIVEN: every request whose `explicit` counted and left the contact SUBSCRIBED, also where it
   * was so before or is new: the log holds each time a person agreed. WITHDRAWN: every `declined`; `status` alone logs nothing.
   */
  readonly consentEntry: "GIVEN" | "WITHDRAWN" | null;
  /** The suppression to add. An entry that is there keeps the stronger reason: put it through `strongerReason`. */
  readonly suppress: SuppressionReason | null;
  readonly leaveLists: boolean;
  /**
   * Confirmation links that were sent before lose their force. So it is whenever somebody is to be out, also where they
   * were out already: a link never raises anybody who said no after it was sent.
   */
  readonly voidsLinks: boolean;
  /** Starts new-subscriber automations. False where explicit consent raises an opted-out address: its row in the contract names none. */
  readonly becameSubscribed: boolean;
};

/**
 * POST /contacts, an upsert. `status` is the one sent, after the fallback of an unrecognized value; undefined asks for SUBSCRIBED.
 * `suppression` counts only where there is no contact row.
 */
export function decideOnPost(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
}): ConsentDecision {
  if (input.consent === "declined") return withdraw();
  const standing = input.current ?? standingOf(input.suppression);
  return decideOnRequest(standing, input.status ?? "SUBSCRIBED", input.consent === "explicit");
}

/** PATCH /contacts/{id}: the contact's own status alone counts, and without a `status` only `declined` does anything. */
export function decideOnPatch(input: {
  readonly current: ContactStatus;
  readonly status: ContactStatus | undefined;
  readonly consent: Consent | undefined;
}): ConsentDecision {
  if (input.consent === "declined") return withdraw();
  if (input.status === undefined) return stay(input.current);
  return decideOnRequest(input.current, input.status, input.consent === "explicit");
}

/**
 * A public unsubscribe. Whoever is out already (a second click) is logged no second time; `suppress` is then set only where an
 * entry is missing. Without a contact row none is made: the address is suppressed and the withdrawal logged.
 */
export function decideOnOptOut(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
}): ConsentDecision {
  const alreadyOut =
    input.current === "UNSUBSCRIBED" || (input.current === null && input.suppression !== null);
  if (!alreadyOut) return withdraw();
  return {
    ...stay("UNSUBSCRIBED"),
    suppress: input.suppression === null ? "UNSUBSCRIBED" : null,
    voidsLinks: true,
  };
}

/**
 * The relay refused the address for good. That says nothing about what the person wants, but ends the standing to mail
 * them, so someone who was not out already is logged as WITHDRAWN (with source `bounce`, so that the log tells the two apart).
 * UNSUBSCRIBED people get transactional mail and so can bounce too. Without a contact row none is made and nothing is logged.
 */
export function decideOnHardBounce(current: Standing): ConsentDecision {
  const wasMailable = current === "PENDING" || current === "SUBSCRIBED";
  return { ...remove("BOUNCED"), consentEntry: wasMailable ? "WITHDRAWN" : null };
}

function standingOf(suppression: SuppressionReason | null): Standing {
  if (suppression === null) return null;
  return suppression === "HARD_BOUNCE" ? "BOUNCED" : "UNSUBSCRIBED";
}

function decideOnRequest(standing: Standing, requested: ContactStatus, explicit: boolean): ConsentDecision {
  const voidsLinks = requested === "UNSUBSCRIBED" || requested === "BOUNCED";
  return { ...moveOnRequest(standing, requested, explicit), voidsLinks };
}

function moveOnRequest(standing: Standing, requested: ContactStatus, explicit: boolean): ConsentDecision {
  if (standing === "BOUNCED") return stay("BOUNCED");
  const consentEntry = explicit ? "GIVEN" : null;
  if (standing === "UNSUBSCRIBED") {
    return explicit && requested === "SUBSCRIBED"
      ? { ...stay("SUBSCRIBED"), consentEntry }
      : stay("UNSUBSCRIBED");
  }
  switch (requested) {
    case "SUBSCRIBED":
      return { ...stay("SUBSCRIBED"), consentEntry, becameSubscribed: standing !== "SUBSCRIBED" };
    case "PENDING":
      return stay(standing ?? "PENDING");
    case "UNSUBSCRIBED":
    case "BOUNCED":
      return remove(requested);
  }
}

const stay = (status: ContactStatus): ConsentDecision => ({
  status,
  consentEntry: null,
  suppress: null,
  leaveLists: false,
  voidsLinks: false,
  becameSubscribed: false,
});

const remove = (status: "UNSUBSCRIBED" | "BOUNCED"): ConsentDecision => ({
  ...stay(status),
  suppress: status === "BOUNCED" ? "HARD_BOUNCE" : "UNSUBSCRIBED",
  leaveLists: true,
  voidsLinks: true,
});

const withdraw = (): ConsentDecision => ({ ...remove("UNSUBSCRIBED"), consentEntry: "WITHDRAWN" });
