import type { SuppressionReason } from "#suppression/reason.ts";
import { decideOnPost, type ConsentDecision, type Standing } from "#contacts/consent/consent.ts";

/**
 * What submitting a form does.
 * - `bounced`: refused.
 * - `leftAlone`: answers like a success, but writes nothing and joins nothing.
 * - `mayReturn`: the person left by themselves. Nothing changes yet. They get a confirmation mail; confirming
 *   brings them back.
 * - `joined`: writes the decision and joins the form's list at once. `needsConfirmation` sends the
 *   confirmation mail.
 */
export type SignupDecision =
  | { readonly kind: "bounced" }
  | { readonly kind: "leftAlone" }
  | { readonly kind: "mayReturn" }
  | { readonly kind: "joined"; readonly decision: ConsentDecision; readonly needsConfirmation: boolean };

/**
 * A form submission (docs/decisions.md "Public pages"). Anybody can type any address into a form. So, unlike POST
 * /contacts, it never brings back a person who is out: who opted out or is suppressed stays so, even a SUBSCRIBED
 * contact whose address is still suppressed. With double opt-in, a person who left by themselves is asked by mail; a
 * person who bounced, complained or was blocked by hand is never asked.
 */
export function decideOnFormSubmit(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  readonly doubleOptIn: boolean;
}): SignupDecision {
  const { current, suppression } = input;
  if (current === "BOUNCED" || suppression === "HARD_BOUNCE") return { kind: "bounced" };
  if (isBlocked(suppression)) return { kind: "leftAlone" };
  if (current === "UNSUBSCRIBED" || suppression !== null)
    return { kind: input.doubleOptIn ? "mayReturn" : "leftAlone" };
  const decision = input.doubleOptIn
    ? decideOnPost({ current, suppression, status: "PENDING", consent: undefined })
    : decideOnPost({ current, suppression, status: "SUBSCRIBED", consent: "explicit" });
  return { kind: "joined", decision, needsConfirmation: decision.status === "PENDING" };
}

/**
 * The button of a confirmation mail. `returns`: the person had left when they signed up. Then confirming is
 * their own explicit consent, and the caller lifts the suppression UNSUBSCRIBED. As always when an opt-out is
 * raised, no automation starts. Without `returns`, PENDING becomes SUBSCRIBED. It is logged also if a request has made
 * them SUBSCRIBED meanwhile: a status alone logs nothing, so this may be the only proof that they agreed.
 *
 * Null if nobody may be raised: bounced, complained or blocked in any case; without `returns` also opted out
 * or deleted. This function does not check that nobody left since the mail was sent: such a link is void
 * (`ConsentDecision.voidsLinks`).
 */
export function decideOnConfirmation(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  readonly returns: boolean;
}): ConsentDecision | null {
  const { current, suppression, returns } = input;
  if (current === "BOUNCED" || isBlocked(suppression)) return null;
  const isOut = current === null || current === "UNSUBSCRIBED" || suppression !== null;
  if (isOut && !returns) return null;
  return decideOnPost({ current, suppression, status: "SUBSCRIBED", consent: "explicit" });
}

/** Suppressed for another reason than the person's own opt-out. */
const isBlocked = (suppression: SuppressionReason | null): boolean =>
  suppression !== null && suppression !== "UNSUBSCRIBED";
