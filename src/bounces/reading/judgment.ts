/**
 * How a report of failure is judged: first by the table for a relay's own replies (`deliveries/reply/`), then by words
 * that prove something only where every server has given up (`proof.ts`).
 */
import { provenBy } from "./proof.ts";
import type { FailureKind } from "#bounces/report.ts";
import type { Stage } from "#core/smtp-reply.ts";
import { classifyReport } from "#deliveries/reply/reported-reply.ts";

type Judgment = { readonly kind: FailureKind; readonly reason: string };

/** Cisco's label for every refusal of a recipient, around the reply that says why. */
const LABEL = /\b[45]\.[0-9]\.[0-9]\s+-\s+Unknown address error\s*(?:([0-9]{3})-['"]|['"])?/i;
const LABEL_END = /['"]?\s*\(delivery attempts: [0-9]{1,9}\)/i;

/** Without the label, because its "unknown address" is said of every refusal, and proves nothing. */
const withoutLabel = (diagnostic: string): string => diagnostic.replace(LABEL, "$1 ").replace(LABEL_END, "");

/** What a report of failure means for the address. @param words the report's text for people */
export function judgeFailure(
  status: string,
  diagnostic: string,
  stage: Stage = "RCPT",
  words = "",
): Judgment {
  const reply = withoutLabel(diagnostic);
  const meaning = classifyReport(status, reply, stage, words);
  if (meaning.kind === "bounced") return { kind: "hard", reason: meaning.reason };
  // With the label, the status is only the label's.
  const isQuoted = reply !== diagnostic;
  const quoted = enhancedIn(reply);
  const proven = provenBy(meaning.reason, (isQuoted && quoted) || status || quoted, reply);
  if (proven !== null) return { kind: "hard", reason: proven };
  return { kind: meaning.strike === null ? "policy" : "soft", reason: meaning.reason };
}

/**
 * The same, if a mail server reports it. One without network, or without a name server, gives up on every address at
 * once: that it reached nobody proves nothing. Providers are always connected: `judgeFailure` is for their reports.
 */
export function judgeServerFailure(...report: Parameters<typeof judgeFailure>): Judgment {
  const judgment = judgeFailure(...report);
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

/** The first enhanced status in a text (RFC 3463), such as `5.1.1`; "" if there is none. */
export const enhancedIn = (text: string): string =>
  /(?<![0-9.])[45]\.[0-9]\.[0-9]{1,3}(?![0-9.])/.exec(text)?.[0] ?? "";
