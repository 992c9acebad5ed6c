import { UNPRINTABLE } from "#core/text/printable.ts";

/**
 * The part of the SMTP conversation in which something happened. CONNECT covers the greeting, EHLO and
 * STARTTLS. DATA also covers the bytes of the message, up to the final dot.
 */
export type Stage = "CONNECT" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "DOT";

/** Whether the server has taken the sender: from then on its replies may be about the recipient. */
export const isAfterSender = (stage: Stage): boolean =>
  stage === "RCPT" || stage === "DATA" || stage === "DOT";

/**
 * What a relay answered. `enhanced` is the status code of RFC 3463 ("5.1.1"), or null if there was none.
 * `text` is one line of at most 512 characters, without the codes, and safe to print.
 */
export type SmtpReply = { readonly code: number; readonly enhanced: string | null; readonly text: string };

export const replyTextCharsMax = 512;

/** Nobody reads more of a reply than this. A relay may send a megabyte. */
const RAW_CHARS_MAX = 8192;
const CODE = /^(\d{3})(?:[ -]|$)/;
/** Some appliances write "#5.1.1" or "5.1.1:". */
const ENHANCED = /^#?([245]\.\d{1,3}\.\d{1,3})(?:[\s:,;]+|$)/;

/**
 * Reads a raw reply of one or several lines ("550-5.1.1 No such\r\n550 5.1.1 user"; RFC 5321 4.2.1, RFC
 * 2034). The code is the one of the last line. Null if the text is not an SMTP reply.
 */
export function parseReply(raw: string): SmtpReply | null {
  const lines = raw.split(/\r?\n/).filter((text) => text !== "");
  const code = CODE.exec(lines.at(-1) ?? "")?.[1];
  if (code === undefined || code < "200" || code > "599") return null;
  const bodies = lines.map((text) => text.replace(CODE, "").trimStart());
  const enhanced =
    bodies.map((text) => ENHANCED.exec(text)?.[1]).find((found) => found !== undefined) ?? null;
  const text = bodies.map((body) => body.replace(ENHANCED, "").trim()).filter((body) => body !== "");
  return { code: Number(code), enhanced, text: shown(text.join(" ").slice(0, RAW_CHARS_MAX)) };
}

/** The reply unchanged, on one line: "550 5.1.1 no such user". */
export function replyLine({ code, enhanced, text }: SmtpReply): string {
  return [String(code), enhanced, text].filter((part) => part !== null && part !== "").join(" ");
}

/** Of at most `replyTextCharsMax` characters, none of which a terminal or a page would carry out. */
function shown(text: string): string {
  const safe = text.replaceAll("\t", " ").replaceAll(UNPRINTABLE, "\uFFFD").toWellFormed();
  return [...safe].slice(0, replyTextCharsMax).join("").trim();
}
