import { isAfterSender, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import { gatewayAnswer, meaningBehindGateway } from "./gateway-answer.ts";
import type { Row } from "./row.ts";
import { REPLY_TABLE } from "./table.ts";
import { hasMark, wordsOf } from "./text.ts";
import type { Meaning } from "./meaning.ts";

/**
 * Decides what a reply means at its stage, by the table in `table.ts`. In doubt nobody is suppressed. Before the
 * dot, a reply that cannot be read stops the relay. At the dot the relay may have accepted the mail. So there it is
 * `failed` with reason UNREADABLE_REPLY and must never be queued again (the ledger calls that uncertain).
 */
export function classifyReply(stage: Stage, reply: SmtpReply): Meaning {
  const digit = Math.floor(reply.code / 100);
  if (digit === 2 || (digit === 3 && stage !== "DOT")) return { kind: "sent" };
  if (digit !== 4 && digit !== 5) return unreadable(stage);
  const answer = digit === 5 && isAfterSender(stage) ? gatewayAnswer(reply) : null;
  return answer === null
    ? byTable(stage, reply)
    : meaningBehindGateway(byTable("RCPT", answer.reply), answer);
}

function byTable(stage: Stage, reply: SmtpReply): Meaning {
  const words = wordsOf(reply.text);
  const row = REPLY_TABLE.find((candidate) => matches(candidate, stage, reply, words));
  return row?.means ?? { kind: "failed", reason: "UNKNOWN_PERMANENT", strike: null };
}

/**
 * What a lost or timed-out connection means before the dot: RFC 5321 4.1.1.10 makes the server forget the mail. A
 * body cut short is stage DATA. After the dot was sent it must never be asked: the mail could be sent twice.
 */
export function classifyLoss(stage: Exclude<Stage, "DOT">): Meaning {
  if (stage === "CONNECT" || stage === "AUTH")
    return { kind: "relay", trouble: "down", reason: "CONNECTION_LOST" };
  return { kind: "deferred", reason: "CONNECTION_LOST", minPauseMs: 0, strike: null };
}

function matches(row: Row, stage: Stage, reply: SmtpReply, words: string): boolean {
  return (
    (row.at === undefined || row.at.includes(stage)) &&
    (row.code === undefined || row.code.test(String(reply.code))) &&
    (row.enhanced === undefined || row.enhanced.test(reply.enhanced ?? "")) &&
    (row.text === undefined || hasMark(words, row.text))
  );
}

function unreadable(stage: Stage): Meaning {
  if (stage === "DOT") return { kind: "failed", reason: "UNREADABLE_REPLY", strike: null };
  return { kind: "relay", trouble: "down", reason: "UNREADABLE_REPLY" };
}
