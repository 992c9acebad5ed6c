import type { Stage } from "#core/smtp-reply.ts";
import { groupsOf, type Fields } from "./fields.ts";
import { judgeServerFailure } from "./judgment.ts";
import { oneLineOf, type FailureKind, type Report } from "#bounces/report.ts";
import { storedAddress } from "./report-address.ts";

/** RFC 3464, 2.3.3. */
const BY_ACTION = new Map<string, FailureKind>([
  ["delivered", "delivered"],
  ["relayed", "delivered"],
  ["expanded", "delivered"],
  ["delayed", "delayed"],
]);

const AT_DOT = />>> DATA|\b(?:end of|reply to|after) (?:the )?data\b/i;

/** Our messages have one recipient each; a mailing list behind the recipient may add some. */
const GROUPS_MAX = 20;

/** What a standard report says about each recipient (RFC 3464). `text` is its part for people. */
export function deliveryReports(status: readonly string[], text: string): Report[] {
  const groups = status
    .flatMap(groupsOf)
    .filter(
      (fields) => fields.has("final-recipient") || fields.has("action") || fields.has("original-recipient"),
    )
    .slice(0, GROUPS_MAX);
  return groups.map((fields) =>
    reportOf(fields, spokenAbout(text, recipientsOf(fields), groups.length === 1)),
  );
}

function reportOf(fields: Fields, spoken: string): Report {
  const status = /[245]\.[0-9]{1,3}\.[0-9]{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "";
  const diagnostic = fields.get("diagnostic-code") ?? "";
  const action = (fields.get("action") ?? "").toLowerCase().split(/[\s(;]/, 1)[0] ?? "";
  const base = { status, words: oneLineOf(diagnostic || spoken || status), recipients: recipientsOf(fields) };
  const kind = BY_ACTION.get(action);
  if (kind !== undefined) return { ...base, kind, reason: action.toUpperCase() };
  return {
    ...base,
    ...judgeServerFailure(status, diagnostic || spoken, stageOf(diagnostic, spoken), spoken),
  };
}

const stageOf = (diagnostic: string, spoken: string): Stage =>
  AT_DOT.test(diagnostic) || AT_DOT.test(spoken) ? "DOT" : "RCPT";

/** What the part for people says about one recipient: all of it, if there is only one. */
function spokenAbout(text: string, recipients: readonly string[], isAlone: boolean): string {
  if (isAlone) return text;
  return (
    text.split("\n").find((line) => recipients.some((address) => line.toLowerCase().includes(address))) ?? ""
  );
}

/** The addresses of a group, in our stored form. */
function recipientsOf(fields: Fields): string[] {
  const named = ["original-recipient", "final-recipient", "x-actual-recipient"].map(
    (name) => fields.get(name) ?? "",
  );
  return [...new Set(named.flatMap(storedAddress))];
}
