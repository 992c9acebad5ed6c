import type { SuppressionReason } from "#suppression/reason.ts";
import { decideOnPost, type ConsentDecision, type Standing } from "./consent.ts";

/**
 * What submitting a form does. `bounced` is refused, `leftAlone` answers like a success but writes nothing and joins nothing,
 * `joined` writes the decision and joins the form's list at once; `needsConfirmation` sends the confirmation mail.
 */
export type SignupDecision =
  | { readonly kind: "bounced" }
  | { readonly kind: "leftAlone" }
  | { readonly kind: "joined"; readonly decision: ConsentDecision; readonly needsConfirmation: boolean };

/**
 * A form submission (decisions, section 6). Unlike POST /contacts it never raises anyone: whoever opted out or is suppressed stays
 * so, also a SUBSCRIBED contact whose address is still suppressed, for anybody can type an address into a form.
 */
export function decideOnFormSubmit(input: {
  readonly current: Standing;
  readonly suppression: SuppressionReason | null;
  readonly doubleOptIn: boolean;
}): SignupDecision {
  const { current, suppression } = input;
  if (current === "BOUNCED" || suppression === "HARD_BOUNCE") return { kind: "bounced" };
  if (current === "UNSUBSCRIBED" || suppression !== null) return { kind: "leftAlone" };
  const decision = input.doubleOptIn
    ? decideOnPost({ current, suppression, status: "PENDING", consent: undefined })
    : decideOnPost({ current, suppression, status: "SUBSCRIBED", consent: "explicit" });
  return { kind: "joined", decision, needsConfirmation: decision.status === "PENDING" };
}

/**
 * The button of a confirmation mail: PENDING becomes SUBSCRIBED, a second press changes and logs nothing. Null where it must raise
 * nobody: opted out, bounced, suppressed or deleted since the mail went out.
 */
export function decideOnConfirmation(
  current: Standing,
  suppression: SuppressionReason | null,
): ConsentDecision | null {
  if (suppression !== null || (current !== "PENDING" && current !== "SUBSCRIBED")) return null;
  const consent = current === "PENDING" ? "explicit" : undefined;
  return decideOnPost({ current, suppression, status: "SUBSCRIBED", consent });
}
