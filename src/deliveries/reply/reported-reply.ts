import { present } from "#core/present.ts";
import { hasMark, wordsOf, type TextMark } from "./text.ts";
import { parseReply, replyTextCharsMax, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import type { Meaning } from "./meaning.ts";
import { classifyReply } from "./reply.ts";

/** What a report of failure means for an address. The relay has given up, so nothing is retried. */
type ReportMeaning = Extract<Meaning, { readonly kind: "bounced" | "failed" }>;

/** Reasons that say only "it failed". */
const SAYS_NOTHING = new Set(["UNKNOWN_PERMANENT", "MESSAGE_REFUSED", "PROTOCOL"]);
/**
 * Trouble on the way, not at the mailbox: when the relay gives up because of it, the address gets no strike.
 */
const NOT_THE_MAILBOX = new Set(["GREYLISTED", "SYSTEM_FULL"]);
/** What reporters write when they do not know. */
const VAGUE = /^[245]\.0\.0$|^5\.5\.0$/;
/**
 * An enhanced code (RFC 3463) anywhere in a text: bare, in brackets, as qmail's `(#5.1.2)`, as sendmail's
 * `550-5.1.1`. An IP address or a version is none.
 */
const ENHANCED = /(?<![0-9a-z.])#?([45]\.[0-7]\.[0-9]{1,3})(?![0-9a-z]|\.[0-9])/gi;
const CODES_MAX = 8;
/** Conditions that pass, for a mailbox or a message, whatever code comes with them. */
const SOFTENS: readonly TextMark[] = ["full", "fullForGood", "systemFull", "tooLarge"];
const LINES_MAX = 100;

/**
 * What a delivery report (RFC 3464) with `Action: failed` means; do not call it for `delayed`, `relayed`,
 * `expanded` or `delivered`. `status` and `diagnostic` are the unfolded fields of one recipient. `words` is the
 * report's text for people about this recipient; it may soften what the fields say, but never harden it. A missing
 * part is "". `stage` is where the other server refused, RCPT when the report does not say. Where the parts, or the
 * codes in one part, disagree, the softest counts: a false hard bounce cannot be undone. A part that reports
 * success contradicts the report, and then no address is judged.
 */
export function classifyReport(
  status: string,
  diagnostic: string,
  stage: Stage = "RCPT",
  words = "",
): ReportMeaning {
  const number = repeatedNumber(status, diagnostic);
  const byStatus = number === null ? statusReply(status) : null;
  const spoken = diagnosticReply(diagnostic);
  if ([byStatus, spoken].some((reply) => reply !== null && reply.code < 400))
    return { kind: "failed", reason: "CONTRADICTORY_REPORT", strike: null };
  const replies = readings(byStatus, spoken === null ? [] : bySpokenCodes(spoken, diagnostic));
  const meanings = [...replies, ...softerWords(words)].map((reply) =>
    meaningOf(reply, number !== null && ANSWERS_RCPT.test(number) ? "RCPT" : stage),
  );
  const telling = meanings.filter(({ reason }) => !SAYS_NOTHING.has(reason));
  const candidates = telling.length > 0 ? telling : meanings;
  const fallback: ReportMeaning = { kind: "failed", reason: "UNREADABLE_REPORT", strike: null };
  return candidates.toSorted((a, b) => hardness(a) - hardness(b))[0] ?? fallback;
}

/**
 * The replies that a report may stand for. Words without an enhanced code are read twice: with the code of the
 * status, and alone, in case they contradict it. Only "unknown host" is not read alone: it says the same as a
 * 5.1.2, less precisely.
 */
function readings(byStatus: SmtpReply | null, spoken: readonly SmtpReply[]): SmtpReply[] {
  if (byStatus === null || spoken.length === 0) return byStatus === null ? [...spoken] : [byStatus];
  const replies = spoken.map((reply) => ({ ...reply, code: reply.code === 0 ? byStatus.code : reply.code }));
  if (replies.some(({ enhanced }) => enhanced === byStatus.enhanced)) return replies;
  if (replies.some(({ enhanced }) => enhanced !== null)) return [byStatus, ...replies];
  const together = replies.map((reply) => ({ ...reply, enhanced: byStatus.enhanced }));
  return replies.slice(0, 1).some(namesHost) ? together : [...together, ...replies];
}

const codesIn = (diagnostic: string): string[] =>
  [...diagnostic.matchAll(ENHANCED)].map(([, code]) => present(code, "code in a match"));

/** The reply with each enhanced code in its text, once per code; unchanged if there is none. */
function bySpokenCodes(reply: SmtpReply, diagnostic: string): SmtpReply[] {
  const codes = [...new Set(codesIn(diagnostic))].filter((code) => !VAGUE.test(code)).slice(0, CODES_MAX);
  return codes.length === 0 ? [reply] : codes.map((enhanced) => ({ ...reply, enhanced }));
}

/** Lines for people that describe a temporary condition, each as a reply. */
function softerWords(words: string): SmtpReply[] {
  return words
    .split(/\r?\n/, LINES_MAX)
    .map((line) => line.slice(0, replyTextCharsMax))
    .filter((line) => SOFTENS.some((mark) => hasMark(wordsOf(line), mark)))
    .map((text) => ({ code: codeOf("5"), enhanced: null, text }));
}

/**
 * What Sendmail makes the status of a recipient from the number of a reply that has no code of its own, whatever its
 * words say. At the dot, a 550 becomes a 5.2.0.
 */
const BY_NUMBER: ReadonlyMap<string, string> = new Map([
  ["550", "5.1.1"],
  ["551", "5.1.6"],
  ["552", "5.2.2"],
  ["553", "5.1.3"],
]);
/** Such a number was the answer to the recipient, wherever else the report seems to say that the mail was refused. */
const ANSWERS_RCPT = /^55[01]$/;

/**
 * The reply's number, if the status only repeats it: with such a status "550 Go away" would prove that nobody reads the
 * address. Null if the status says something of its own.
 */
function repeatedNumber(status: string, diagnostic: string): string | null {
  const number = /^\s*(?:[a-zA-Z0-9-]{1,32}\s*;\s*)?(55[0-3])\b/.exec(diagnostic)?.[1] ?? "";
  const code = BY_NUMBER.get(number);
  if (code === undefined || code !== enhancedOf(status)) return null;
  return codesIn(diagnostic).includes(code) ? null : number;
}

const enhancedOf = (status: string): string | undefined =>
  /^\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})(?![0-9.])/.exec(status)?.[1];

/** The status alone, as if a server had sent it. */
function statusReply(status: string): SmtpReply | null {
  const enhanced = enhancedOf(status);
  if (enhanced === undefined || (VAGUE.test(enhanced) && !enhanced.startsWith("2"))) return null;
  return { code: codeOf(enhanced), enhanced, text: "" };
}

function diagnosticReply(diagnostic: string): SmtpReply | null {
  const words = diagnostic.replace(/^\s*[a-zA-Z0-9-]{1,32}\s*;/, "").trim();
  if (words === "") return null;
  const reply = parseReply(words);
  if (reply !== null) return reply;
  // Words without a reply code. If they contain an enhanced code, it decides the class.
  const { enhanced, text } = present(
    parseReply(`550 ${words.replaceAll(/\r?\n/g, " ")}`),
    "reply behind a code",
  );
  return { code: codeOf(enhanced ?? "5"), enhanced, text };
}

const codeOf = (enhanced: string): number => Number(enhanced[0]) * 100 + 50;

const namesHost = ({ text }: SmtpReply): boolean => hasMark(wordsOf(text), "hostUnknown");

/** A name server's report that a host cannot be found belongs to no stage of an SMTP conversation. */
function meaningOf(reply: SmtpReply, stage: Stage): ReportMeaning {
  return final(classifyReply(namesHost(reply) ? "RCPT" : stage, reply), reply);
}

/**
 * What a reply means when nothing is retried. A 4.7.x is about the sender or a rule (RFC 3463, 3.8): a challenge, for
 * one, is sent to who writes for the first time. Three codes are no proof, but say more than silence: 4.1.1,
 * which some servers send for days instead of 5.1.1; 5.3.2, a host that takes no mail; and 5.4.4, a domain
 * that cannot be reached.
 */
function final(meaning: Meaning, { enhanced }: SmtpReply): ReportMeaning {
  if (meaning.kind === "bounced") return meaning;
  const isPolicy = enhanced?.startsWith("4.7.") === true;
  if (
    meaning.kind === "sent" ||
    meaning.kind === "relay" ||
    NOT_THE_MAILBOX.has(meaning.reason) ||
    isPolicy
  ) {
    const reason = meaning.kind === "sent" ? "CONTRADICTORY_REPORT" : meaning.reason;
    return { kind: "failed", reason, strike: null };
  }
  if (meaning.kind === "failed")
    return enhanced === "5.3.2" ? { ...meaning, strike: "unknown_permanent" } : meaning;
  const doubtful =
    enhanced === "4.1.1" ? "unknown_permanent" : enhanced === "5.4.4" ? "host_unknown" : "expired";
  return { kind: "failed", reason: meaning.reason, strike: meaning.strike ?? doubtful };
}

const hardness = (meaning: ReportMeaning): number =>
  meaning.kind === "bounced" ? 2 : meaning.strike === null ? 0 : 1;
