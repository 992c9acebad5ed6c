import { hasMark, wordsOf } from "./reply-text.ts";
import { parseReply, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import type { Meaning } from "./meaning.ts";
import { classifyReply } from "./reply.ts";

/** Reasons that say only "it failed". */
const SAYS_NOTHING = new Set(["UNKNOWN_PERMANENT", "MESSAGE_REFUSED", "PROTOCOL"]);
/** Trouble of the way, not of the mailbox: giving up on it is no strike against the address. */
const NOT_THE_MAILBOX = new Set(["GREYLISTED", "SYSTEM_FULL"]);

/**
 * What a delivery report (RFC 3464) with `Action: failed` means; never ask for `delayed`, `relayed`, `expanded` or `delivered`.
 * `status` and `diagnostic` are the unfolded fields of one recipient; where they disagree the softer one counts.
 * `stage` is where the other server refused, RCPT when the report does not say. The relay has given up, so the answer is never
 * `deferred` or `relay`: it is `bounced` or `failed`, or `sent` for a report of success.
 */
export function classifyReport(status: string, diagnostic: string, stage: Stage = "RCPT"): Meaning {
  const meanings = readings(statusReply(status), diagnosticReply(diagnostic)).map((reply) =>
    final(classifyReply(stage, reply), reply),
  );
  const telling = meanings.filter((meaning) => meaning.kind === "sent" || !SAYS_NOTHING.has(meaning.reason));
  const candidates = telling.length > 0 ? telling : meanings;
  const fallback: Meaning = { kind: "failed", reason: "UNREADABLE_REPORT", strike: null };
  return candidates.toSorted((a, b) => hardness(a) - hardness(b))[0] ?? fallback;
}

/**
 * The replies a report may stand for. Words without an enhanced code are read with the status's, and once more alone, in case
 * they contradict it; only "unknown host" is not, which says the same as a 5.1.2 in vaguer words.
 */
function readings(byStatus: SmtpReply | null, byWords: SmtpReply | null): SmtpReply[] {
  if (byStatus === null || byWords === null) return [byStatus ?? byWords].filter((reply) => reply !== null);
  if (byWords.enhanced === byStatus.enhanced) return [byWords];
  const code = byWords.code === 0 ? byStatus.code : byWords.code;
  if (byWords.enhanced !== null) return [byStatus, { ...byWords, code }];
  const together = { ...byWords, code, enhanced: byStatus.enhanced };
  return hasMark(wordsOf(byWords.text), "hostUnknown") ? [together] : [together, { ...byWords, code }];
}

/** The status alone, as if a server had said it. `x.0.0` and `5.5.0` are what reporters write when they do not know. */
function statusReply(status: string): SmtpReply | null {
  const [, enhanced] = /^\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})(?![0-9.])/.exec(status) ?? [];
  if (enhanced === undefined || /^[45]\.0\.0$|^5\.5\.0$/.test(enhanced)) return null;
  return { code: codeOf(enhanced), enhanced, text: "" };
}

function diagnosticReply(diagnostic: string): SmtpReply | null {
  const words = diagnostic.replace(/^\s*[a-zA-Z0-9-]{1,32}\s*;/, "").trim();
  if (words === "") return null;
  const reply = parseReply(words);
  if (reply !== null) return reply;
  // Words without a reply code: the enhanced code among them, if any, tells the class.
  const { enhanced, text } = parseReply(`550 ${words.replaceAll(/\r?\n/g, " ")}`)!;
  return { code: codeOf(enhanced ?? "5"), enhanced, text };
}

const codeOf = (enhanced: string): number => Number(enhanced[0]) * 100 + 50;

/** 4.1.1 "user unknown" for days is what some servers say instead of 5.1.1: not proof, but more than silence. */
function final(meaning: Meaning, reply: SmtpReply): Meaning {
  if (meaning.kind === "relay") return { kind: "failed", reason: meaning.reason, strike: null };
  if (meaning.kind !== "deferred") return meaning;
  if (NOT_THE_MAILBOX.has(meaning.reason)) return { kind: "failed", reason: meaning.reason, strike: null };
  const strike = meaning.strike ?? (reply.enhanced === "4.1.1" ? "unknown_permanent" : "expired");
  return { kind: "failed", reason: meaning.reason, strike };
}

function hardness(meaning: Meaning): number {
  if (meaning.kind === "bounced") return 2;
  return meaning.kind === "failed" && meaning.strike !== null ? 1 : 0;
}
