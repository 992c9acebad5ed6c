import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { asciiText, type Ascii } from "./ascii.ts";

const LINE_MAX = 998;
const REQUIRED = ["from", "to", "subject", "date", "message-id"];
/** Fields that would name another recipient, or that only the receiving server may add. */
const FORBIDDEN = ["cc", "bcc", "return-path", "received"];
/** There is one of these for each signature, and one signature per key. */
const REPEATABLE = "dkim-signature";

/**
 * The last check of a finished message before `MAIL` (RFC 5322, 2.1 and 3.6; RFC 5321, 4.5.3.1.6). An
 * accepted message has only ASCII, with no control characters but tab, CR and LF. Every line ends in CRLF
 * after at most 998 characters, so no CR or LF stands alone. It has exactly one From, To, Subject, Date and
 * Message-ID, no field twice, and no Cc, Bcc, Return-Path or Received. To is `expectedTo` and nothing else.
 * The check does not judge the contents of fields and parts.
 */
export function checkMessage<Message extends Ascii>(message: Message, expectedTo: string): Result<Message> {
  const text = asciiText(message);
  const problem = findByteProblem(text) ?? findHeaderProblem(text, expectedTo);
  return problem === null ? accept(message) : invalid(`The message cannot be sent: ${problem}.`);
}

/** Whether header fields have only printable ASCII, in lines that end or continue as they must (RFC 5322, 2.2.3). */
export const areFolded = (fields: string): boolean => FOLDED.test(fields) && !hasLongLine(fields);

const FOLDED = /^(?:[!-9;-~]+:[\t\x20-\x7e]*\r\n(?:[\t ]+[\x21-\x7e][\t\x20-\x7e]*\r\n)*)+$/;

function findByteProblem(text: string): string | null {
  if (/[^\t\r\n\x20-\x7e]/.test(text)) return "it holds a byte that is not printable ASCII";
  if (/\r(?!\n)/.test(text) || /(?<!\r)\n/.test(text)) return "it holds a CR or LF outside a line end";
  if (!text.endsWith("\r\n")) return "its last line does not end in CRLF";
  return hasLongLine(text) ? `it has a line of more than ${LINE_MAX} characters` : null;
}

function hasLongLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n", start)) {
    if (end - start > LINE_MAX) return true;
    start = end + 2;
  }
  return false;
}

function findHeaderProblem(text: string, expectedTo: string): string | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return "it has no empty line after its header";
  const counts = new Map<string, number>();
  let to = "";
  for (const line of text.slice(0, end).split(/\r\n(?![\t ])/)) {
    const [, name, value] = /^([!-9;-~]+):([^]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return "a line of its header is no field";
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
    if (name.toLowerCase() === "to") to = value.replace(/\r\n/g, "").trim();
  }
  return findCountProblem(counts) ?? (to === expectedTo ? null : "its To is not the recipient's address");
}

function findCountProblem(counts: ReadonlyMap<string, number>): string | null {
  const missing = REQUIRED.find((name) => !counts.has(name));
  if (missing !== undefined) return `it has no ${missing} field`;
  const forbidden = FORBIDDEN.find((name) => counts.has(name));
  if (forbidden !== undefined) return `it has a ${forbidden} field`;
  for (const [name, count] of counts)
    if (count > 1 && name !== REPEATABLE) return `it has more than one ${name} field`;
  return null;
}
