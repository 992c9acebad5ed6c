import type { Static } from "@sinclair/typebox";
import { parseEmailAddress, storedAddressPiece } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "./reason.ts";
import type { newSuppressionBody } from "./schema.ts";

/** Which suppressions a page shows. */
export type SuppressionFilter = {
  readonly reason: SuppressionReason | null;
  /** Text in the address, what follows an `@` in the form of stored domains; null: any. */
  readonly q: string | null;
};

export function parseSuppressionFilter(query: {
  readonly reason: string | undefined;
  readonly q: string | undefined;
}): Result<SuppressionFilter> {
  const q = query.q ? storedAddressPiece(query.q) : null;
  if (!query.reason) return accept({ reason: null, q });
  const reason = parseReason(query.reason);
  return reason.ok ? accept({ reason: reason.value, q }) : reason;
}

/** The address in its stored form, and the reason; without one, `MANUAL`. */
export function parseNewSuppression(
  body: Static<typeof newSuppressionBody>,
): Result<{ email: string; reason: SuppressionReason }> {
  const email = parseEmailAddress(body.email);
  if (!email.ok) return email;
  const reason = parseReason(body.reason ?? "MANUAL");
  return reason.ok ? accept({ email: email.value, reason: reason.value }) : reason;
}

export function parseReason(text: string): Result<SuppressionReason> {
  const reason = SUPPRESSION_REASONS.find((one) => one === text);
  return reason === undefined
    ? invalid(`\`reason\` must be one of ${SUPPRESSION_REASONS.join(", ")}.`)
    : accept(reason);
}
