import { storedAddress } from "./report-address.ts";
import { groupsOf, type Fields } from "./fields.ts";
import { oneLineOf, type Report } from "#bounces/report.ts";

/**
 * Feedback that is no complaint of a person: `not-spam` withdraws one, the others are reports about signatures and
 * policies (RFC 6591).
 */
const NO_COMPLAINT = new Set(["not-spam", "auth-failure", "dmarc"]);

/** A complaint (RFC 5965). Feedback of another kind is a report that judges nobody. */
export function feedbackReport(feedback: readonly string[]): Report | null {
  const fields = feedback.flatMap(groupsOf).find((group) => group.has("feedback-type"));
  if (fields === undefined) return null;
  const type = (fields.get("feedback-type") ?? "").toLowerCase().split(/[\s;(]/, 1)[0] ?? "";
  const base = { status: "", words: oneLineOf(`Feedback-Type: ${type}`), recipients: recipientsOf(fields) };
  return NO_COMPLAINT.has(type)
    ? { ...base, kind: "delivered", reason: "NO_COMPLAINT" }
    : { ...base, kind: "complaint", reason: "COMPLAINT" };
}

const recipientsOf = (fields: Fields): string[] =>
  ["original-rcpt-to", "removal-recipient"].flatMap((name) => storedAddress(fields.get(name) ?? ""));
