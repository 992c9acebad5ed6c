import { parseEmailAddress } from "#core/addresses/email-address.ts";
import type { Stage } from "#core/smtp-reply.ts";
import { classifyReport } from "#deliveries/reply/report.ts";
import { groupsOf, type Fields } from "./fields.ts";
import { provenBy } from "#bounces/proof.ts";
import { oneLineOf, type FailureKind, type Report } from "#bounces/report.ts";

/** RFC 3464, 2.3.3. */
const BY_ACTION: Readonly<Record<string, FailureKind>> = {
  delivered: "delivered",
  relayed: "delivered",
  expanded: "delivered",
  delayed: "delayed",
};

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
  const kind = BY_ACTION[action];
  if (kind !== undefined) return { ...base, kind, reason: action.toUpperCase() };
  return { ...base, ...judgedOfServer(status, diagnostic || spoken, stageOf(diagnostic, spoken), spoken) };
}

const stageOf = (diagnostic: string, spoken: string): Stage =>
  AT_DOT.test(diagnostic) || AT_DOT.test(spoken) ? "DOT" : "RCPT";

type Judgment = { readonly kind: FailureKind; readonly reason: string };

/** Cisco's label for every refusal of a recipient, around the reply that says why. */
const LABEL = /\b[45]\.[0-9]\.[0-9]\s+-\s+Unknown address error\s*(?:([0-9]{3})-['"]|['"])?/i;
const LABEL_END = /['"]?\s*\(delivery attempts: [0-9]{1,9}\)/i;

/** Without the label, because its "unknown address" is said of every refusal, and proves nothing. */
const withoutLabel = (diagnostic: string): string => diagnostic.replace(LABEL, "$1 ").replace(LABEL_END, "");

/** What the words of a failure report mean for the address. */
export function judged(status: string, said: string, stage: Stage = "RCPT", words = ""): Judgment {
  const diagnostic = withoutLabel(said);
  const meaning = classifyReport(status, diagnostic, stage, words);
  if (meaning.kind === "bounced") return { kind: "hard", reason: meaning.reason };
  // With the label, the status is only the label's.
  const isQuoted = diagnostic !== said;
  const quoted = enhancedIn(diagnostic);
  const proven = provenBy(meaning.reason, (isQuoted && quoted) || status || quoted, diagnostic);
  if (proven !== null) return { kind: "hard", reason: proven };
  return { kind: meaning.strike === null ? "policy" : "soft", reason: meaning.reason };
}

/**
 * The same, if a mail server reports it. One without network, or without a name server, gives up on every address at
 * once: that it reached nobody proves nothing. Providers are always connected, so what they report is `judged`.
 */
export function judgedOfServer(...report: Parameters<typeof judged>): Judgment {
  const judgment = judged(...report);
  const [status, diagnostic] = report;
  const isUnreached = judgment.kind === "soft" && reachedNobody(judgment.reason, status, diagnostic);
  return isUnreached ? { ...judgment, kind: "policy" } : judgment;
}

/** Reasons for a strike that fit a server that did not answer. The others are what a server said of its mailbox. */
const MAY_BE_NO_ANSWER: ReadonlySet<string> = new Set([
  "TEMPORARY",
  "EXPIRED",
  "NO_ROUTE",
  "HOST_UNKNOWN",
  "UNKNOWN_PERMANENT",
]);
/** The way there was the trouble (RFC 3463, 3.5). 5.4.4 alone is about the domain, and 5.4.1 is a server's answer. */
const ON_THE_WAY = /^(?:4\.4\.|5\.4\.7$)/;
const NO_ANSWER =
  /retry time(?:out)? (?:exceeded|not reached)|connection (?:timed out|refused)|network (?:is )?unreachable|no route to host|name service error .{0,120}try again/i;
/**
 * A reply of another server, such as `450 4.2.0 busy`, in a text that ends with "retry timeout exceeded". A reply that
 * itself speaks of the way there is the reporting server's own.
 */
const ANSWER = /(?<![0-9.])[45][0-9]{2}[ -](?!4\.4\.|5\.4\.7)/;

function reachedNobody(reason: string, status: string, diagnostic: string): boolean {
  if (!MAY_BE_NO_ANSWER.has(reason)) return false;
  const quoted = enhancedIn(diagnostic);
  const isOnTheWay = NO_ANSWER.test(diagnostic) || ON_THE_WAY.test(quoted || status);
  return isOnTheWay && !ANSWER.test(diagnostic);
}

/** These replies say nothing about the mailbox. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["UNREADABLE_REPORT", "UNKNOWN_PERMANENT"]);

/**
 * Whether the reply that a provider quotes says less than "the address is dead". Then its "hard" does not count, and
 * the reply is judged instead: a false hard bounce cannot be undone.
 */
export function isSofter(status: string, diagnostic: string): boolean {
  if (status === "" && diagnostic === "") return false;
  const meaning = classifyReport(status, withoutLabel(diagnostic));
  return meaning.kind !== "bounced" && !SAYS_NOTHING.has(meaning.reason);
}

const enhancedIn = (text: string): string =>
  /(?<![0-9.])[45]\.[0-9]\.[0-9]{1,3}(?![0-9.])/.exec(text)?.[0] ?? "";

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

/** The address in a field such as `rfc822; <ada@example.com>`. */
export function storedAddress(text: string): string[] {
  const address = text.slice(text.indexOf(";") + 1).replaceAll(/[<>"\s]/g, "");
  const parsed = parseEmailAddress(address);
  return parsed.ok ? [parsed.value] : [];
}
