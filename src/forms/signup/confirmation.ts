import { createHash } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import type { ConfirmationLook } from "#mail/letter/single/confirmation-template.ts";
import { HOUR_MS } from "#core/time/time.ts";

/** The link of a confirmation works for this long after the sign-up. */
export const LINK_VALID_DAYS = 7;
const LINK_VALID_MS = LINK_VALID_DAYS * 24 * HOUR_MS;

/**
 * Within this period an address gets a limited number of confirmation mails, however often somebody types it
 * into forms (docs/failure-catalogue.md "A-01").
 */
const CAP_PERIOD_MS = 24 * HOUR_MS;
const PER_FORM_MAX = 1;
const PER_WORKSPACE_MAX = 3;
/** Many providers deliver `ada+anything@` to `ada@`. Some more than for one address: people try their own forms so. */
const PER_MAILBOX_MAX = 10;

/**
 * Which confirmations count for a sign-up at `at`. Those of the near future too: others sign up at the same time, and
 * clocks differ. What is further ahead was made while the clock was wrong, and would keep the address from its mail.
 */
export const capPeriod = (at: Instant): { readonly since: Instant; readonly until: Instant } => ({
  since: at - CAP_PERIOD_MS,
  until: at + CAP_PERIOD_MS,
});

/**
 * The number of confirmations that one address got within the last `CAP_PERIOD_MS`. `ofMailbox`: it, and all that
 * differ from it only by what is behind a `+`, in the whole workspace.
 */
export type RecentConfirmations = {
  readonly ofForm: number;
  readonly ofWorkspace: number;
  readonly ofMailbox: number;
};

export function mayConfirm({ ofForm, ofWorkspace, ofMailbox }: RecentConfirmations): boolean {
  return ofForm < PER_FORM_MAX && ofWorkspace < PER_WORKSPACE_MAX && ofMailbox < PER_MAILBOX_MAX;
}

/**
 * The addresses of a mailbox: `plain`, and those from `from` (included) to `until` (excluded) that end with `domain`.
 * In the order of characters the comma follows the plus.
 */
export function mailboxOf(email: string): { plain: string; from: string; until: string; domain: string } {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at);
  // At the beginning it is no separator: `+15550100@` is a phone.
  const plus = email.slice(0, at).indexOf("+", 1);
  const name = email.slice(0, plus === -1 ? at : plus);
  return { plain: name + domain, from: `${name}+`, until: `${name},`, domain };
}

/**
 * The text and the sender of a confirmation mail. Both come from the workspace; nothing that somebody typed
 * into the form is in it.
 */
export type ConfirmationContent = {
  readonly workspaceName: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  /** Letters that were queued by an earlier version have none. */
  readonly look?: ConfirmationLook;
};

/** The source of a mailing. A form's confirmations with the same content share one. */
export function sourceOf(formId: string, content: ConfirmationContent): string {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `${formId}:${digest.slice(0, 12)}`;
}

/** The state of a confirmation's link. `void`: the person left, bounced or was deleted after it was sent. */
export type LinkState = "open" | "used" | "expired" | "void";

/** What is stored about a link. */
export type LinkTimes = {
  readonly createdAt: Instant;
  readonly confirmedAt: Instant | null;
  readonly voidedAt: Instant | null;
};

export function linkState({ createdAt, confirmedAt, voidedAt }: LinkTimes, now: Instant): LinkState {
  if (voidedAt !== null) return "void";
  if (confirmedAt !== null) return "used";
  return now < createdAt + LINK_VALID_MS ? "open" : "expired";
}
